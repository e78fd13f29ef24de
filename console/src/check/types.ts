/** Types of the console's modules. Nothing of this is shipped: see "The console's JavaScript" in CONTRIBUTING.md. */

// Pages.

type Query = Record<string, string | undefined>;

/** Makes an address of a template whose values are encoded. */
type Tag = (texts: TemplateStringsArray, ...values: (string | number)[]) => string;

/** What an address stands for. */
interface Place {
  definition: Definition<any>;
  /** The address in the navigation. */
  within: string;
  params: any;
  query: Query;
  address: string;
}

/** A page that the navigation has. */
interface Entry {
  address: string;
  title: string;
  role?: Role;
  isOfAll: boolean;
}

/** What an address says in its path. */
interface Params {
  group: string;
  task: string;
  id: string;
  worker: string;
}

/** A visit of a page for which this was loaded. */
interface Visit<Data = any> {
  definition: Definition;
  params: Params;
  query: Query;
  address: string;
  data: Data;
  loadedAt: string | null;
  news: { data: Data; added: number; gone: number } | null;
  ui: Ui;
  isCurrent: boolean;
  role: Role | undefined;
  isLimited: boolean;
  may(role: Role, group?: string): boolean;
  maySome(role: Role): boolean;
  set(values: Partial<Ui>): void;
  search(query: Query): void;
  go(address: string): void;
  onLeave(cleanup: () => void): void;
  load(how?: { isRefresh?: boolean }): Promise<void>;
  act<A>(change: () => Promise<A>, said?: string | TemplateResult | ((answer: A) => string)): Promise<A | undefined>;
  isSignedOut(failure: unknown): boolean;
}

/** The visit of the page that is shown. */
type Shown = import('../main/resources/io/millrace/console/web/core/visit.js').Visit;

/** What a visit of a page, and the frame around it, know of the rest of the console. */
interface Surroundings {
  session(): any;
  shown(): Shown | null;
  /** Since when the tracker has not answered. */
  lostSince(): string | null;
  /** Milliseconds until the tracker is asked again; null if it answers. */
  pauseOfLoss(): number | null;
  noteAnswer(): void;
  /** Whether the failure is dealt with. */
  noteLoss(failure: unknown): boolean;
  /** The session had ended when something was to be changed. */
  noteUnchanged(): void;
  loadOthers(): void;
  draw(): void;
  drawAnew(): void;
  signOut(): void;
  /** The dialog over a page whose session has ended. */
  signInAgain(): unknown;
}

/** A visit whose data are what this function loads. */
type Loaded<Load extends (page: any) => unknown> = Visit<Awaited<ReturnType<Load>>>;

/** A visit before its data are there, or while they are loaded again. */
type Loading = Visit<any>;

interface Definition<Page extends Visit = Visit> {
  title: string | ((page: Visit<Page['data'] | null>) => string);
  question?: string;
  groupIn?: string;
  every: number | ((page: Visit<Page['data'] | null>) => number);
  zone?: (page: Page) => string | undefined;
  rows?: Record<string, (row: any) => unknown>;
  load(page: Loading): unknown;
  /** What is searched for; it is there also when the search has failed. */
  form?(page: Loading): unknown;
  /** Whether something was typed that would be lost. */
  hasDraft?(page: Loading): boolean;
  view(page: Page): unknown;
}

/** What pages remember while they are open. */
interface Ui {
  /** Of lists: what is chosen, what is open, and whether all that match are being counted. */
  selected?: Set<unknown>;
  opened?: Set<string>;
  isCounting?: boolean;
  /** Of the form of a job: what it held at first, and what the tracker says of it. */
  began?: any;
  kind?: string;
  cron?: string;
  refusal?: string | null;
  conflict?: any;
  newer?: any;
  preview?: any;
  previewed?: string;
  previewTimer?: number;
  turn?: number;
  /** Of an execution. */
  log?: Reading | null;
  follow?: boolean;
  wholeResult?: boolean;
  /** Of the overview, and of tokens. */
  span?: string;
  role?: string;
  issued?: any;
}

/** The values of a form, by the names of its fields. */
type Values = Record<string, string | undefined>;

// What pages are made of.

type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'calm' | 'accent';

/** How a list can be sorted by a column: the names of the orders, and the present one if it is not that in the address. */
interface Sorted {
  page: Visit;
  up?: string;
  down?: string;
  order?: string;
}
interface Column<Row> {
  name: string | TemplateResult;
  kind?: string;
  sorted?: Sorted | '' | false;
  cell: (row: Row) => unknown;
}
type TableOf = <Row>(of: {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  key: (row: Row) => unknown;
  empty?: string;
}) => TemplateResult;

interface Question {
  title: string;
  text: string;
  about?: unknown;
  yes?: string;
  danger?: boolean;
  fields?: unknown;
  check?: (values: Values) => unknown;
}

/** What was thrown: of the API a Problem, and else an Error. */
type Failure = any;

type Ask = (question: Question) => Promise<any>;

/** A change of many that this tab makes, and how far it is. */
interface TabChange {
  what: string;
  title: any;
  address: string;
  home: string;
  total: number;
  done: number;
  failed: number;
  reasons: TabFault[];
  atOnce: number;
  next: () => TabStep | undefined;
  hasBegun?: boolean;
  isOver?: boolean;
  isStopped?: boolean;
  isLost?: boolean;
  waits?: string;
}
interface TabStep {
  name?: string;
  address?: string;
  /** How many it changes; one if that is not said. */
  count?: number;
  run: () => Promise<any>;
}
interface TabFault {
  name?: string;
  address?: string;
  why: string;
}

/** How many would be changed, the same in words, and what is searched for. */
interface Found {
  n: number;
  count?: string;
  about?: unknown;
}

type SelectColumn = <Row>(
  page: Visit,
  rows: Row[],
  nameOf: (row: Row) => string,
  how?: { mayBeChosen?: (row: Row) => unknown; idOf?: (row: any) => unknown },
) => Column<Row>;

/** A field that differs. */
interface Difference {
  field: string;
  was: unknown;
  now: unknown;
}
type DifferenceTable = (of: {
  caption: string;
  rows: Difference[];
  names: { was: string; now: string };
  empty?: string;
  more?: Column<Difference>[];
}) => TemplateResult;

/** A row of the timeline; times are epoch milliseconds. */
interface TimelineRow {
  key: string;
  name: unknown;
  text: string;
  executions: Drawn[];
}
interface Drawn {
  id: string;
  status: string;
  plannedFor: string;
  startedAt?: string;
  finishedAt?: string;
  dueAt: number;
  startsAt: number;
  endsAt: number;
}

/** A version of a job, an entry of its audit, or both if the entry asked for the version. */
type Change = Partial<Omit<AuditEntry, 'id'> & Omit<StoredVersion, 'definition'>> & {
  at: string;
  /** Of the entry. */
  entry?: string;
  definition: Defined | null;
  /** Whether it is a version, so that there must be a definition. */
  defines: boolean;
};
type Version = Change & {
  id: string;
  before: Defined | null;
  /** Whether there is none before it. */
  isFirst: boolean;
  /** Whether its own parameters were left out. */
  isPartial: boolean;
};

/** A definition with which an edit can begin, and who stored it. */
interface EarlierVersion {
  of: string;
  by: string;
  at: string;
  definition: Defined | null;
}

/** The log of an execution, as far as it was read. */
interface Reading {
  id: string;
  filter: { level?: string; contains?: string };
  lines: LogItem[];
  earlier: number | null;
  later: number | null;
  last: number;
  coming: LogItem[];
  state: string;
  isBusy: boolean;
  readsEnd: boolean;
  turn: number;
  source: EventSource | null;
  again?: number;
  follows?: unknown;
  drawing?: any;
  typing?: number;
}

/** What a chart shows. */
interface ChartData {
  type: 'bar' | 'line';
  labels: string[];
  unit?: string;
  summary: string;
  addresses: string[];
  series: { name: string; values: number[]; tone: string; stack?: string; addresses?: string[] }[];
}

/** An hour of the map of a week: the counts of the hours that clocks show so, of which there may be two. */
interface HourCell {
  from: number;
  to: number;
  parts: Schemas['ActivityCounts'][];
}

/** What colours the cells of the map. */
interface Measure {
  tone: string;
  of: (cell: HourCell) => number;
  limits?: number[];
  style?: string;
  leads: [string, Record<string, string>];
}

interface Suggestions {
  list: string | Nothing;
  onFocus: unknown;
  onInput: unknown;
  names: unknown;
}

// What the elements are that the modules look for.

interface ParentNode {
  querySelector(selectors: `dialog${string}`): HTMLDialogElement | null;
  querySelector(selectors: `${string} input` | `${string} .value`): HTMLInputElement | null;
  querySelectorAll(selectors: `input${string}`): NodeListOf<HTMLInputElement>;
}
interface Document {
  getElementById(id: 'job-form'): HTMLFormElement & { elements: any };
}
