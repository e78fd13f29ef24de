/** What the API answers, as its document says. Nothing of this is shipped: see "The console's JavaScript" in CONTRIBUTING.md. */

type ApiPaths = import('../../target/check/api').paths;
type Schemas = import('../../target/check/api').components['schemas'];
type TemplateResult = import('/console/lib/lit-html/lit-html.js').TemplateResult;
type Nothing = typeof import('/console/lib/lit-html/lit-html.js').nothing;

// What the API answers: a route is a path of its document without /api/v1, and with {} where a value stands.

type Braces<P extends string> = P extends `${infer A}{${string}}${infer B}` ? `${A}{}${Braces<B>}` : P;
type Routes = { [P in keyof ApiPaths as P extends `/api/v1${infer R}` ? Braces<R> : never]: ApiPaths[P] };
type Method = 'get' | 'post' | 'put' | 'delete';
type RouteOf<M extends Method> = { [R in keyof Routes]: Routes[R] extends { [m in M]: unknown } ? R : never }[keyof Routes];
type Operation<M extends Method, R extends keyof Routes> = Routes[R] extends { [m in M]: infer O } ? O : unknown;

/** The address of a route, whose values are in it. */
type Path<R extends string = string> = string & { readonly route: R };
type Url<R extends string> = R | Path<R>;

type Json<C> = C extends { content: { 'application/json': infer A } } ? A : null;
type Answer<M extends Method, R extends keyof Routes> =
  Operation<M, R> extends { responses: infer S } ? (S extends { 200: infer C } | { 201: infer C } ? Json<C> : null) : unknown;
type Sent<M extends Method, R extends keyof Routes> = Operation<M, R> extends { requestBody?: infer B } ? Json<NonNullable<B>> : never;

type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? (Q extends object ? keyof Q : never) : never;
type QueryNames<R> = R extends keyof Routes ? { [M in Method]: QueryOf<Operation<M, R>> }[Method] : string;

interface Get {
  <R extends RouteOf<'get'>>(url: Path<R> & AsksForRuns, end?: AbortSignal, patience?: number): Promise<WithRuns<Answer<'get', R>>>;
  <R extends RouteOf<'get'>>(url: Url<R>, end?: AbortSignal, patience?: number): Promise<Answer<'get', R>>;
}
type GetTagged = <R extends RouteOf<'get'>>(url: Url<R>) => Promise<Answer<'get', R> & { tag: string | null | undefined }>;
type Post = <R extends RouteOf<'post'>>(url: Url<R>, body?: Sent<'post', R>) => Promise<Answer<'post', R>>;
type Put = <R extends RouteOf<'put'>>(url: Url<R>, body: Sent<'put', R>, tag?: string | null) => Promise<Answer<'put', R>>;
type Remove = <R extends RouteOf<'delete'>>(url: Url<R>) => Promise<Answer<'delete', R>>;

/** An address that asks for the last runs of jobs, which are left out of the answer otherwise. */
interface AsksForRuns {
  readonly asksForRuns: true;
}
type WithQuery = <R extends string, N extends number | undefined = undefined>(
  base: Url<R>,
  values: { [Name in QueryNames<R>]?: string | number | null } & { runs?: N },
) => Path<R> & (N extends number ? AsksForRuns : unknown);

/** Get of an address with a query, and the language of the page. */
interface GetTexts {
  <R extends RouteOf<'get'>>(
    base: Url<R>,
    values: { [Name in QueryNames<R>]?: string | number | null } & { runs: number },
  ): Promise<WithRuns<Answer<'get', R>>>;
  <R extends RouteOf<'get'>>(base: Url<R>, values?: { [Name in QueryNames<R>]?: string | number | null }): Promise<Answer<'get', R>>;
}

/** The answer with the runs that were asked for. */
type WithRuns<A> = 'lastRuns' extends keyof A
  ? A & { lastRuns: Schemas['JobRun'][] }
  : A extends { items: (infer Item)[] }
    ? Omit<A, 'items'> & { items: WithRuns<Item>[] }
    : A;

interface Listed<Item> {
  items: Item[];
  next?: string;
}
type FirstFound = <L extends Listed<unknown>>(
  read: (after?: string) => Promise<L>,
  after: string | undefined,
  goesOn: () => unknown,
) => Promise<L & { isFarSearch: boolean }>;
type UpTo = <Item>(most: number, read: (after?: string) => Listed<Item> | Promise<Listed<Item>>) => Promise<Listed<Item>>;

type Session = Schemas['SignedIn'];
type Role = Session['role'];

// What the API answers, by the names that the modules have for it.

type AuditEntry = Schemas['AuditEntry'];
type StoredVersion = Schemas['VersionItem'];
type BatchSummary = Schemas['BatchSummary'];
type BatchDetail = Schemas['BatchDetail'];
type BulkChange = Schemas['BulkChangeSummary'];
type DeadTrigger = Schemas['DeadTriggerSummary'];
type DeadDetail = Schemas['DeadDetail'];
type Execution = Schemas['ExecutionSummary'];
type FailureGroup = Schemas['FailureGroup'];
type Group = Schemas['GroupSummary'];
type Ended = Schemas['HistoryItem'];
type JobDetail = Schemas['JobDetail'];
type JobRun = Schemas['JobRun'];
type JobSummary = Schemas['JobSummary'];
type LogItem = Schemas['LogItem'];
type Outcome = 'succeeded' | 'retried' | 'failed' | 'dead' | 'skipped' | 'cancelled';
type PartTally = Schemas['PartTally'];
type Schedule = Schemas['JobSchedule'];
type Token = Schemas['TokenSummary'];
type Trigger = Schemas['TriggerSummary'];
type Machine = Schemas['WorkerSummary'];

/** What names a job, and perhaps more of it. */
type JobKey = Pick<JobDetail, 'nodeGroup' | 'taskId'>;

/** What makes up a job. */
type Defined = Partial<Omit<Schemas['NewJob'], 'replaceExisting' | 'submissionId'>>;
