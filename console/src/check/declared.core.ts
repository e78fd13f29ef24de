/**
 * What functions and variables of the modules are, where it takes more room to say than there is in a module: what a browser loads has
 * little room for comments.
 */
interface Declared {
  'console.js': {
    session: any;
    signInFailure: any;
    shown: any;
    lostSince: any;
    stepOf: (state: { step: number } | null) => number;
  };
  'core/actions.js': {
    ofJob: (job: JobKey) => { name: string, address: string };
    askAboutMany: (what: string, found: Found) => Promise<any>;
    changeMany: (page: Visit, what: string, jobs: JobKey[]) => Promise<void>;
    copyAsCurl: (job: JobDetail) => Promise<void>;
    copyAsCommand: (job: JobDetail) => Promise<void>;
    showCommands: (job: JobDetail, of: Record<string, string>) => Promise<void>;
    TO_MANY: Record<string, { change: (job: JobKey, values: Values) => Promise<unknown>, danger?: boolean, fields?: () => unknown }>;
  };
  'core/frame.js': {
    headingOf: (visit: Shown) => string;
    searchFrom: (visit: Shown, around: Surroundings) => void;
    newsButton: (visit: Shown) => TemplateResult;
    isAllowed: (visit: Shown) => (entry: Entry) => boolean;
    navigationGroup: (group: { name: string, pages: Entry[] }, visit: Shown) => unknown;
    content: (visit: Shown, lostSince: string | null) => TemplateResult;
    formsOf: (visit: Shown) => unknown[];
    viewOf: (visit: Shown) => unknown;
    waitingOf: (visit: Shown, lostSince: string | null) => TemplateResult | Nothing;
    lostText: (lostSince: string) => string;
  };
  'core/job-fields.js': {
    what: (job: any, isEdit: boolean) => TemplateResult;
    when: (page: Visit, job: any, kind: any) => TemplateResult;
    how: (job: any) => TemplateResult;
    cron: (page: Visit, schedule: Schedule) => TemplateResult;
    span: (name: string, value: string, required?: boolean) => TemplateResult;
    moment: (name: string, instant?: string, how?: { required?: boolean }) => TemplateResult;
    repeat: (kind: 'every' | 'fixedDelay', schedule: Schedule) => TemplateResult;
    fill: (name: string, value: string) => void;
    KINDS: string[];
  };
  'core/api.js': {
    hasNewToken: (before: Session | null) => Promise<boolean>;
    session: Session | null;
    toldOfOthers: (now: Session) => void;
    path: Tag;
    withQuery: WithQuery;
    get: Get;
    getTexts: GetTexts;
    post: Post;
    put: Put;
    getTagged: GetTagged;
    remove: Remove;
    orNull: <A>(asked: Promise<A>) => Promise<A | null>;
    problemOf: (status: number, answer: any) => Error;
    firstFound: FirstFound;
    upTo: UpTo;
    call: (method: string, url: string, ...rest: any[]) => Promise<any>;
    request: (method: string, url: string, body?: unknown, more?: object, look?: (response: Response) => unknown, end?: AbortSignal, patience?: number) => Promise<any>;
  };
  'core/bulk.js': {
    stateOf: (change: TabChange) => string;
    textOf: (change: TabChange) => string;
    nameOf: (change: TabChange) => string;
    quarter: (change: TabChange) => number;
    wait: (change: TabChange, what: string, until: (goOn: () => void) => void) => Promise<void>;
    mayTryAgain: (change: TabChange, failure: Failure, tries: number) => Promise<boolean>;
    note: (change: TabChange, of: { done?: number, refused?: TabFault[], failed?: number }) => void;
    attempt: (change: TabChange, step: TabStep) => Promise<void>;
    begin: (page: Visit, what: string, total: number, next: TabChange['next'], atOnce: number) => void;
    changeInRounds: (page: Visit, what: string, total: number, rounds: Iterator<any>) => void;
    changeEach: <Item>(page: Visit, what: string, items: Item[], change: (item: Item) => unknown, about: (item: Item) => { name: string, address: string }) => void;
    onBulkChange: (listener: any) => void;
    host: any;
    signInAwaited: (() => void)[];
    last: Promise<unknown>;
    changes: TabChange[];
  };
  'core/bulk-changes.js': {
    ACTIONS: Record<string, [string, string]>;
    FIELDS: Record<string, Record<string, keyof BulkChange['filter']>>;
    ALWAYS: Record<string, Query>;
    underWay: BulkChange[];
    own: Map<string, string>;
    timer: number;
    host: { changed: () => void, ended: (of: { address?: string }) => void };
    onBulkChangeOfTracker: (listener: any) => void;
    filterOf: (page: { address: string, query: Query }) => BulkChange['filter'];
    searchOf: (change: Pick<BulkChange, 'action' | 'filter'>) => { address: string, query: Query };
    countsOf: (change: Pick<BulkChange, 'total' | 'done' | 'failed'>) => { total?: number, done: number, failed: number };
    isUnderWay: (change: BulkChange) => boolean;
    allButton: (page: Visit, text: string, act: () => unknown, tone?: string) => TemplateResult;
    changeAll: (page: Visit, action: BulkChange['action'], counts: any[], question: (found: Required<Found>) => Promise<any>) => Promise<void>;
    countAll: (page: Visit, counts: any[]) => Promise<{ n: number, isAtLeast: boolean } | null>;
    countOne: (address: '/jobs/count', query: object, end: AbortSignal) => Promise<Schemas['ListCount']>;
    request: (page: Visit<any>, body: Sent<'post', '/bulk-changes'>) => Promise<unknown>;
    tellEnd: (id: string, change: BulkChange | null) => void;
    named: (action: string, more: string) => string;
    endOf: (change: Pick<BulkChange, 'action' | 'total' | 'done' | 'failed' | 'state' | 'endReason'>) => string;
    whyEnded: (state: string, why?: string) => string;
    progressOf: (change: Pick<BulkChange, 'action' | 'total' | 'done' | 'failed'>) => string;
  };
  'core/chart.js': {
    labelled: (labels: string[], most: number) => number[];
  };
  'core/clock.js': {
    known: { ahead: number, roundTrip: number } | null;
  };
  'core/commands.js': {
    paramOptions: (params: Record<string, string>) => (string | null)[];
    scheduleOptions: (schedule: Schedule) => (string | null)[];
    command: (name: string, job: JobKey, url: string, options: (string | null)[]) => string;
    lower: (constant?: string) => string | undefined;
    leftOutOfCommand: (job: { retry?: Record<string, unknown>, params?: Record<string, string> }) => string[];
    withoutOption: (params?: Record<string, string>) => string[];
  };
  'core/dead-rows.js': {
    which: (trigger: Partial<DeadTrigger>) => TemplateResult;
    replayOne: (page: Visit, row: any, params?: Record<string, string>) => Promise<void>;
    replay: (page: Visit, row: any, question: { title: string, text: string, yes: string }, how: object) => Promise<void>;
    discardButton: (page: Visit, row: DeadTrigger) => TemplateResult;
  };
  'core/dialog.js': {
    question: (asked: Required<Question> & { refusal: string | null }) => TemplateResult;
    tell: (text: unknown, tone?: string) => void;
    dismiss: (message: object) => void;
    close: (values: Values | null) => void;
    open: any;
    messages: { text: unknown, tone: string }[];
    changed: () => void;
    ask: Ask;
  };
  'core/difference.js': {
    differences: (before: object | null, after: object, more?: string[]) => Difference[];
    flat: (job: any, more: string[]) => Map<string, any>;
    fieldOf: (job: object, field: string, more?: string[]) => unknown;
    differenceTable: DifferenceTable;
  };
  'core/finder-commands.js': {
    command: (name: string, run: () => unknown, note?: string) => { kind: string, name: string, note?: string, run: () => unknown };
    commandsOnJobs: (visit: Visit, text: string) => Promise<unknown[]>;
    behind: (label: string, text: string) => string;
  };
  'core/finder.js': {
    jobsNamed: (text: string, state: string | undefined) => Promise<JobSummary[]>;
    openFinder: (pages: Entry[], commands: unknown[], commandsLike: (text: string) => Promise<unknown[]>) => void;
    isFinderKey: (event: KeyboardEvent) => boolean;
    unlessRefused: (asked: Promise<any>) => Promise<any>;
    state: any;
    changed: () => void;
    signedOut: (failure: Failure) => void;
    onFinderChange: (listener: () => void, whenSignedOut: (failure: Failure) => void) => void;
  };
  'core/format.js': {
    millisOf: (duration?: string) => number | null;
    DATE: Intl.DateTimeFormatOptions;
    TIME_OF_DAY: Intl.DateTimeFormatOptions;
    measured: (value: number) => string;
    percent: (value: number) => string;
    duration: (text?: string) => string;
    instant: (text: string | null | undefined, how?: { millis?: boolean }) => string | TemplateResult;
    away: (text?: string, from?: number) => string | Nothing;
    between: (from?: string, to?: string) => string;
    fieldOf: (text?: string, length?: number) => string;
    instantOf: (local?: string) => string | undefined;
  };
  'core/held.js': {
    rowsInPlace: (old: any[], present: any[], key: (row: any) => unknown) => any[];
    placesOf: (names: string[], data: any) => string[][];
    held: (lists: Record<string, (row: any) => unknown>, before: any, fresh: any) => { data: any, added: number, gone: number };
    valueAt: (data: any, names: string[]) => unknown;
    withValueAt: (data: any, names: string[], value: unknown) => unknown;
  };
  'core/job-values.js': {
    retryOf: (values: Values, before: object) => Record<string, unknown>;
    editedJob: (values: Values, began: Values, before: any) => any;
    shortSpan: (duration?: string) => string;
    hasSameSchedule: (values: Values, began: Values) => boolean;
    UNITS: Record<string, number>;
    DEFINITION: (keyof Defined)[];
    isLive: (job: { state: string }) => boolean;
    scheduleOf: (values: Values) => Record<string, any>;
    newJob: (values: Values) => any;
    editedRetry: (values: Values, began: Values, before: any) => object;
    editedSchedule: (values: Values, began: Values, before: any) => Record<string, any>;
    overlapOf: (values: Values) => any;
    labelsOf: (values: Values) => any;
    misfireOf: (values: Values) => any;
  };
  'core/log.js': {
    isFiltered: (log: Reading) => boolean;
    matches: (filter: Reading['filter'], line: LogItem) => boolean;
    readOn: (log: Reading, direction: 'before' | 'after', from: number | null, isCurrent: () => boolean) => Promise<{ lines: LogItem[], next: number | null }>;
    inTurn: <A>(log: Reading, readsEnd: boolean, read: (isCurrent: () => boolean) => Promise<A>, onFailure?: () => void) => Promise<A | null>;
    follow: (log: Reading, onChange: () => void, onEnd: () => void) => () => void;
    stream: (log: Reading, onChange: () => void, onEnd: () => void) => void;
    lastOf: (lines: LogItem[]) => number;
    newLog: (id: string) => Reading;
  };
  'core/params-table.js': {
    faultOf: (row: { name: string, type: string, value: string }, rows: any[]) => string | null;
    TYPES: Record<string, (value: string) => boolean>;
  };
  'core/parts.js': {
    partTime: (part: Schemas['PartSummary'], from: number, to: number) => TemplateResult;
    partsLegend: (parts: PartTally, address: string) => TemplateResult;
    STATES: [keyof PartTally, any][];
  };
  'core/provider.js': {
    closeIfDone: (outcome?: string) => void;
    begin: (page: string) => string;
    provider: string | null | undefined;
  };
  'core/rights.js': {
    ROLES: (string | undefined)[];
    hasRole: (session: Session | null | undefined, needed: Role) => boolean;
    areAbout: (patterns: string[], group: string) => boolean;
    operatedBy: (session: Session | null | undefined) => string[];
    may: (session: Session | null | undefined, needed: Role, group?: string) => boolean;
    maySome: (session: Session | null | undefined, needed: Role) => boolean;
  };
  'core/runs.js': {
    wordsOf: (run: { status: string, plannedFor: string, startedAt?: string, dueAt: any, finishedAt?: any }) => string;
    runFacts: (runs: JobRun[]) => unknown[][];
    SHAPES: Record<string, string>;
    millis: (from: any, to: any) => number;
    percentile: (values: number[], percentage: number) => number | null;
    spread: (of: { p50: number | null, p95: any }) => string;
    rateOf: (of: { rate: number | null }) => string;
    STEPS: Record<string, (at: number, last: number) => number>;
  };
  'core/saved.js': {
    searchOf: (page: Visit) => Query;
    keep: (searches: unknown[]) => void;
  };
  'core/search.js': {
    conditionOf: (name: string, value: any) => string;
    conditionsOf: (query: Query) => string;
    inWords: (query: Query) => string;
    kept: (query: Query, name: string) => unknown;
    CONDITIONS: Record<string, string>;
    timeOfDay: (hour: number, days?: number) => string;
    textField: (query: any, name: string, label: string, hint?: unknown, how?: { required?: boolean, readonly?: boolean, suggests?: boolean }) => TemplateResult;
    searchForm: (page: Visit, fields: unknown) => TemplateResult;
    unlessSearched: (millis: number) => (page: Visit) => number;
  };
  'core/select.js': {
    selectionBar: (chosen: unknown[], buttons: unknown) => TemplateResult | Nothing;
    chosenOf: <R>(page: Visit, rows: R[], idOf?: (row: R) => unknown) => R[];
    selectColumn: SelectColumn;
  };
  'core/settings.js': {
    speakIn: (language: string, changed: () => void) => Promise<void>;
    chooseTheme: (theme: string) => void;
  };
  'core/suggest.js': {
    labels: (text: string, group?: string) => Promise<string[]>;
    ofJobs: (name: string, group?: string) => Promise<string[]>;
    suggestSoon: (event: { currentTarget: any }) => void;
    jobsLike: (text: string, group?: string) => Promise<string[]>;
    namesIn: (address: any, query: object, nameOf: (row: any) => unknown) => Promise<string[]>;
    SOURCES: Record<string, (text: string, group: string | undefined, form: HTMLFormElement) => Promise<string[]>>;
    groupsFor: (text: string, group: string | undefined, form: HTMLFormElement) => Promise<string[]>;
    timer: number;
  };
  'core/timeline.js': {
    laned: <E extends Drawn>(executions: E[]) => (E & { lane: number })[];
    timeline: (of: { rows: TimelineRow[], span: Names['span'], choose: (span: Names['span']) => void }) => TemplateResult;
    scale: (span: Names['span'], lines: number[], choose: (span: Names['span']) => void) => TemplateResult;
    waitOf: (execution: Drawn, span: Names['span'], y: number) => TemplateResult | Nothing;
    bars: (row: TimelineRow, span: Names['span']) => TemplateResult;
    outcomes: (executions: { status: string }[], query: Query) => TemplateResult;
  };
  'core/versions.js': {
    definitionIn: (entry: AuditEntry) => Defined | null;
    isOfDefinition: (entry: AuditEntry) => boolean;
    asksFor: (entry: AuditEntry, version: StoredVersion) => boolean;
    withVersion: (entry: AuditEntry, left: StoredVersion[]) => Change;
    ofVersion: (version: StoredVersion) => Change;
    isKnownBetter: (row: Change, before?: Change) => boolean;
    withDefaults: (sent: any) => Defined;
    changesOf: (versions: StoredVersion[], entries: AuditEntry[], isWhole: boolean) => Version[];
    pageOf: (
      rows: Version[],
      ends: { versions?: { at: string }, entries?: { at: string } },
      most: number,
    ) => { shown: Version[], isLast: boolean };
  };
  'core/total.js': {
    total: (page: Visit, address: string, query: object) => TemplateResult;
    count: (page: Visit, url: any, whole: any) => Promise<void>;
    countAll: (page: Visit) => Promise<void>;
    shown: (text: string, page: Visit, name?: string) => TemplateResult;
    textOf: (answer: Schemas['ListCount']) => string;
  };
  'core/view.js': {
    head: (column: Column<any>) => TemplateResult;
    newestFirst: (page: Visit) => Sorted;
    oldestFirst: (page: Visit) => Sorted;
    valuesOf: (form: HTMLFormElement) => any;
    labelOf: (column: Column<any>) => unknown;
    jobLink: (job: JobKey) => TemplateResult;
    jobAddress: (job: JobKey) => string;
    batchOf: (job: { taskId: string }) => string | undefined;
    valueOf: (control: any, value: string) => string | undefined;
    badge: (kind: string, constant: string) => TemplateResult;
    section: (heading: unknown, content: unknown, extra?: unknown) => TemplateResult;
    emptyNotice: (text: unknown) => TemplateResult;
    details: (page: Visit, id: string, summary: unknown, content: unknown) => TemplateResult;
    link: Tag;
    linkWith: (page: string, values: Record<string, string | false | undefined>) => string;
    workerLink: (id: string | undefined, group: string) => string | TemplateResult;
    TONES: Record<string, Tone>;
    table: TableOf;
    unrepeated: <R>(key: (row: R) => unknown) => (row: R) => unknown;
    facts: (pairs: unknown[][]) => TemplateResult;
    tile: (name: string, value: unknown, note?: unknown, tone?: Tone) => TemplateResult;
    button: (text: string, onClick: () => unknown, how?: { tone?: string, disabled?: boolean, label?: string }) => TemplateResult;
    field: (id: string, name: string, control: unknown, hint?: unknown) => TemplateResult;
    choice: (id: string, value: string, options: string[][], onChange?: (event: any) => unknown) => TemplateResult;
    paging: (page: Visit, next?: string, name?: string) => TemplateResult | Nothing;
    params: (values: Record<string, string>) => TemplateResult;
    writeParams: (values?: Record<string, string>) => string;
    isToldByLines: (values: Record<string, string>, lines: string) => boolean;
  };
  'core/words.js': {
    word: (kind: string, constant: any) => string;
    catalogue: Record<string, string | Record<string, string>>;
    chosen: () => string;
    formatOf: <F>(Format: new (locale: string, options?: any) => F, options?: object) => F;
    t: (key: string, values?: Record<string, unknown>) => string;
    wordsFor: (kind: string, constant: string | undefined, values?: Record<string, unknown>) => string | undefined;
  };
  'core/zone.js': {
    ofJob: string | undefined;
    aboutZone: (name?: string) => void;
    aheadIn: (zone: string, at: number) => number;
    isKnown: (name?: string) => name is string;
    onTheClock: (at: string | number, options: Intl.DateTimeFormatOptions) => string;
    clockOf: (timeZone: string, options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat;
    FIELDS: Intl.DateTimeFormatOptions;
  };
  'pages.js': {
    decoded: (part: string) => string;
    entry: (address: string, title: string, who?: { role?: Role, isOfAll?: boolean }) => Entry;
    pageAt: (hash: string) => Promise<Place>;
    match: (template: string[], parts: string[]) => Record<string, string> | null;
  };
}
