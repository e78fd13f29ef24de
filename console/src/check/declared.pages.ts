/**
 * What functions and variables of the modules are, where it takes more room to say than there is in a module: what a browser loads has
 * little room for comments.
 */
interface Declared {
  'pages/audit.js': {
    pretty: (detail: string) => string;
    madeBy: (detail?: string) => unknown;
    none: (query: Query, next?: string) => TemplateResult;
    judged: (status?: number) => [string, string];
    whoAsked: (row: Partial<Pick<AuditEntry, 'operator' | 'role' | 'address'>>) => TemplateResult;
    targetOf: (row: AuditEntry) => unknown;
    outcomeOf: (row: AuditEntry) => TemplateResult;
    detailOf: (page: Visit, row: AuditEntry) => unknown;
  };
  'pages/batch.js': {
    isOfEnded: (page: Visit) => unknown;
    terminateButton: (page: Visit, row: BatchSummary | BatchDetail, label?: string) => TemplateResult | Nothing;
    rowActions: (page: Visit, row: BatchSummary) => TemplateResult;
    batchList: (page: Visit, items: BatchSummary[]) => TemplateResult;
    batches: Definition<Visit<Answer<'get', '/batches'>>>;
    STATE_TONES: Record<string, string>;
    PART_TONES: Record<string, string>;
    stateOf: (of: { state: string, ended?: Ended }) => TemplateResult;
    terminate: (page: Visit, of: BatchSummary | BatchDetail) => Promise<void>;
    partList: (page: Visit, detail: BatchDetail, parts: Schemas['PartPage']) => TemplateResult;
    isOpenDead: (part: Schemas['PartSummary']) => unknown;
    replayPart: (page: Visit, of: BatchDetail, row: Schemas['PartSummary']) => TemplateResult | Nothing;
    partNumber: (part: Schemas['PartSummary']) => string | TemplateResult;
    said: (row: Schemas['PartSummary']) => unknown;
  };
  'pages/bulk-changes.js': {
    TONES: Record<string, Tone>;
    addressOf: (row: BulkChange, failure: BulkChange['failures'][0]) => string;
    ended: (row: BulkChange) => TemplateResult;
  };
  'pages/changes.js': {
    actionOf: (row: Version) => TemplateResult;
    when: (row: Version) => TemplateResult;
    who: (row: Version) => TemplateResult;
    what: (row: Version) => unknown;
    placeAfter: (rows: Version[], beforeVersion?: string, beforeEntry?: string) => string;
    back: (page: Visit, version: Version) => unknown;
    load: (page: Loading) => Promise<{ versions: Version[], next?: string, live: JobDetail | null }>;
    sent: (detail?: string) => unknown;
  };
  'pages/choose-group.js': {
    groupChoice: (page: Visit<Group[]>) => TemplateResult;
  };
  'pages/conflict.js': {
    jobOf: (page: Visit) => any;
    currentOf: (page: Visit) => any;
  };
  'pages/dead-groups.js': {
    isGrouped: (query: Query) => boolean;
    failure: (group: FailureGroup) => TemplateResult;
    textOf: (group: FailureGroup) => string;
    jobsOf: (group: FailureGroup) => TemplateResult;
    loadGroups: (filter: Query) => Promise<{ failures: Schemas['FailureGroups'] }>;
  };
  'pages/dead-trigger.js': {
    why: (of: DeadDetail) => TemplateResult;
    settled: (of: DeadDetail) => TemplateResult;
    factsOf: (of: DeadDetail) => TemplateResult;
    replayWith: (page: Visit<DeadDetail>, before: string, text: string) => Promise<void>;
    hintOn: (before: unknown) => string;
  };
  'pages/dead.js': {
    outcomeOf: (items: Schemas['ReplayAnswer'][]) => any;
    load: (page: Loading) => Promise<any>;
    filterOf: (query: Query) => Query;
    searchOf: (query: Query) => Query;
    stateOf: (query: Query) => string;
    listed: (page: Visit<Listed<DeadTrigger>>) => TemplateResult;
    none: (page: Visit, next?: string) => TemplateResult;
    ofIds: (rows: { id: string }[], params?: Record<string, string>) => Generator<any>;
    askToReplay: (found: Found) => Promise<{ params?: Record<string, string> } | null>;
    replayLike: (page: Visit, like: string) => Promise<void>;
    countsOf: (page: Visit) => [string, Query][];
    replayChosen: (page: Visit, rows: { id: string }[]) => Promise<void>;
  };
  'pages/execution.js': {
    rowOf: (of: Schemas['ExecutionDetail']) => any;
    stateUnderWay: (row: Execution) => TemplateResult;
    millis: (text?: string) => number;
    claimed: (row: Execution | Ended) => TemplateResult;
    waited: (row: { nodeGroup: string, dueAt?: string, finishedAt?: string }, until?: string) => any;
    factsUnderWay: (row: Execution) => TemplateResult;
    factsOfEnd: (row: Ended) => TemplateResult;
    factsOfBoth: (row: Execution | Ended, attempt: string) => [string, unknown][];
    stepsView: (kept: Schemas['KeptSummary']) => TemplateResult;
  };
  'pages/groups.js': {
    owner: (group: Group) => TemplateResult;
    oldestDue: (group: Group) => unknown;
    workersLink: (group: Group) => TemplateResult;
    executingLink: (group: Group) => TemplateResult;
    timelineLink: (group: Group) => TemplateResult;
    trackersTable: (trackers: Schemas['TrackerPage']) => TemplateResult;
  };
  'pages/history.js': {
    statusText: (statuses: string) => string;
    load: (page: Loading) => Promise<Listed<Ended> & { refusal?: string }>;
    found: (page: Visit, items: Ended[], next?: string) => TemplateResult;
    whatWasSaid: (row: { cause?: string, message?: string }) => TemplateResult | Nothing;
    historyTable: (rows: Ended[], how?: { withJob?: boolean, sorted?: Visit }) => TemplateResult;
    searchOf: (query: Query) => Query;
    mayBeTurned: (query: Query) => boolean;
  };
  'pages/job.js': {
    FACT_TONES: Record<string, string>;
    isOneShot: (job: JobDetail) => boolean;
    labels: (job: JobDetail) => TemplateResult | null;
    runningTable: (items: Execution[]) => TemplateResult;
    why: (explanation: Schemas['Explanation']) => TemplateResult;
    fires: (next: Schemas['FireList']) => TemplateResult;
    nextHeading: (next: Schemas['FireList']) => string;
    fire: (fire: Schemas['Fire']) => TemplateResult;
    declaredBy: (declared?: Schemas['Declared']) => string | null;
  };
  'pages/jobs.js': {
    CHANGES: Record<string, { action: BulkChange['action'], states: ('ACTIVE' | 'PAUSED')[] }>;
    none: (page: Visit) => TemplateResult;
    actions: (page: Visit, job: JobSummary) => TemplateResult | Nothing;
    look: (page: Loading, after: string | undefined, runs: number) => Promise<Listed<WithRuns<JobSummary>>>;
    load: (page: Loading) => Promise<Listed<WithRuns<JobSummary>> & { isFarSearch: boolean, isBegun: boolean }>;
  };
  'pages/late.js': {
    keyOf: (row: Trigger) => string;
    dueTable: (group: Schemas['LateGroup'], due: Trigger[]) => TemplateResult;
    advice: (group: Schemas['LateGroup']) => unknown;
  };
  'pages/log.js': {
    read: (page: Visit, log: Reading, from: () => Promise<void>) => Promise<void>;
    filter: (page: Visit, log: Reading, change: Reading['filter']) => Promise<void>;
    LEVEL_TONES: Record<string, string>;
    clock: (text: string, today: string) => string;
    isStillWritten: (of: { underWay?: unknown, ended?: any }) => unknown;
    drawInPlace: (page: Visit, change?: () => unknown) => void;
  };
  'pages/overview.js': {
    SPANS: Record<string, { minutes: number, step: number }>;
    TONES: Record<string, string>;
    endsOf: (...outcomes: string[]) => { status: string, by: string };
    OUTCOMES: ('succeeded' | 'retried' | 'failed' | 'dead' | 'skipped' | 'cancelled')[];
    loadPresent: () => Promise<{ all: Schemas['Overview'], dead: DeadTrigger[], moreDead: boolean }>;
    countDead: (present: { moreDead: boolean }) => Promise<Schemas['ListCount']> | null;
    load: (page: Loading) => Promise<Awaited<ReturnType<Declared['pages/overview.js']['loadPresent']>> & { series: Schemas['Series'] | null, deadCount: Schemas['ListCount'] | null, isBegun: boolean }>;
    lateSection: (all: Schemas['Overview']) => TemplateResult;
    tiles: (all: Schemas['Overview']) => TemplateResult;
    verdict: (data: Loaded<typeof import('../main/resources/io/millrace/console/web/pages/overview.js').overview.load>['data']) => TemplateResult;
    groupsTable: (groups: Group[], late: Schemas['LateGroup'][]) => TemplateResult;
    deadTable: (dead: DeadTrigger[]) => TemplateResult;
    endedChart: (series: Schemas['Series']) => ChartData;
    latenessChart: (series: Schemas['Series']) => ChartData;
    addressesOf: (page: string, series: Schemas['Series'], more?: Record<string, string>) => string[];
  };
  'pages/running.js': {
    askToTerminate: (found: Found) => Promise<any>;
    searchOf: (query: Query) => Query;
    elapsed: (row: Execution) => string | TemplateResult;
    progressOf: (row: { progress?: Schemas['ProgressSummary'] }) => string | null;
    progressColumn: () => Column<any>;
    stopMark: (row: { terminatedBy?: string, stopRequested: boolean }) => TemplateResult | Nothing;
    kindMark: (row: Execution) => unknown;
    partName: (part: { number: number, shards?: number }) => string;
    load: (page: Loading) => Promise<Listed<Execution> & { refusal?: string }>;
    unlessEnded: (failure: Failure) => void;
  };
  'pages/sign-in.js': {
    signInView: (of: { failure: string | null, signIn: (token: string) => unknown, languageChoice: () => unknown }) => TemplateResult;
    signInDialog: (of: { name: string, failure: string | null, signIn: (token: string) => unknown }) => TemplateResult;
    signInForm: (of: { failure: string | null, signIn: (token: string) => unknown }) => TemplateResult;
  };
  'pages/submit.js': {
    isDuplicate: (page: Visit) => boolean;
    isEdit: (page: Visit) => boolean;
    copyOf: (job: JobDetail) => Partial<JobDetail>;
    hasDraft: (page: Visit) => boolean;
    mayReplace: (at: Path<'/jobs/{}/{}'>, values: Values, job: any) => Promise<boolean>;
    store: (page: Visit, values: any) => Promise<boolean>;
    tableOf: (rows: Difference[]) => TemplateResult;
    edited: (group: string, task: string, version?: string, entry?: string) => Promise<any>;
    storedVersion: (group: string, task: string, version: number) => Promise<EarlierVersion | undefined>;
    recorded: (group: string, task: string, id: string) => Promise<EarlierVersion | undefined>;
    previewOf: (page: Visit, values: Values) => Promise<any>;
    kindOf: (page: Visit, job: { schedule: any }) => any;
    preview: (page: Visit) => TemplateResult;
  };
  'pages/timeline.js': {
    rowsBy: (query: Query) => string;
    millis: (text: any) => any;
    all: (address: any, query: Query, most: number) => Promise<Listed<any>>;
    moves: (page: Visit, span: { from: number, to: number }) => TemplateResult;
    found: (page: Visit, executions: any[], span: { from: number, to: number }) => TemplateResult;
    rowsOf: (executions: any[], by: string) => TimelineRow[];
    load: (page: Loading) => Promise<any>;
    refusalOf: (query: Query, span: { from: number, to: number }) => string | undefined;
    hasMoreWithin: (running: Listed<any>, query: Query, to: number) => boolean;
  };
  'pages/tokens.js': {
    restore: (page: Visit, token: Token) => Promise<unknown>;
    TONES: Record<string, string>;
    expiry: (life: Values) => { expires?: string };
    roleOf: (token: Token) => string;
    patternsIn: (text?: string) => string[] | undefined;
    state: (token: Token) => TemplateResult;
    end: (token: Token) => unknown;
    lastUse: (token: Token) => unknown;
    renew: (page: Visit, token: Token) => Promise<void>;
    revoke: (page: Visit, token: Token) => Promise<void>;
  };
  'pages/upcoming.js': {
    none: (query: Query) => TemplateResult;
    perMinute: (scale: { begin: number, x: (at: any) => number }, data: Schemas['Upcoming']) => TemplateResult;
  };
  'pages/waiting.js': {
    orderOf: (query: Query) => string;
    isOfNames: (order?: string) => boolean;
    isByName: (page: { query: any }) => boolean;
    isFiltered: (page: Visit) => unknown;
    countOf: (page: Visit) => TemplateResult;
    load: (page: Loading) => Promise<any>;
    isOneShot: (row: Trigger) => boolean;
    jobOf: (page: Visit, row: { taskId: string }) => any;
    cancel: (job: JobKey) => Promise<void>;
    groupList: (groups: Group[]) => TemplateResult;
    askToCancel: (found: Found) => Promise<any>;
  };
  'pages/week.js': {
    sum: (cell: HourCell, ...names: string[]) => number;
    late: (cell: HourCell) => number;
    failed: (cell: HourCell) => number;
    MEASURES: Record<string, Measure>;
    iso: (at: number) => string;
    daysOf: (query: Query) => any;
    measureOf: (query: Query) => string;
    beginOf: (days: number, at: number) => number;
    gridOf: (points: Schemas['SeriesPoint'][], days: number, at: number) => Map<string, HourCell>;
    map: (query: Query, data: { points: Schemas['SeriesPoint'][], at: number }, measure: Measure) => TemplateResult;
    wordsOf: (cell: HourCell) => string;
    STEPS: Record<string, number[]>;
  };
  'pages/worker.js': {
    links: (worker: Machine) => TemplateResult;
  };
  'pages/workers.js': {
    change: (row: Machine, what: 'drain' | 'undrain') => Promise<unknown>;
    undrain: (page: Visit, row: Machine) => Promise<void>;
    drain: (page: Visit, row: Machine) => Promise<void>;
    drainButton: (page: Visit, row: Machine) => TemplateResult;
    none: (query: Query) => TemplateResult;
    countOf: (value?: number) => string;
    workerState: (worker: Machine) => TemplateResult;
    slotsMeter: (of: { slots?: number, slotsInUse?: number }, name: string) => string | TemplateResult;
  };
}
