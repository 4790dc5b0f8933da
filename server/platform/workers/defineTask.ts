/**
 * What a thread does. Input and result can be copied by `structuredClone`. A task has no database and no network; what it works on is
 * foreign, and may take all the time and memory that its thread is given.
 */
export interface Task<Input, Result> {
  /** by which the thread finds it among `server/tasks.ts` */
  name: string
  /** imports the function where it runs: a thread loads what it is asked for alone */
  load: () => Promise<(input: Input) => Result | Promise<Result>>
}

/** Names a function that threads carry out; `server/tasks.ts` lists them all. */
export const defineTask = <Input, Result>(name: string, load: Task<Input, Result>['load']): Task<Input, Result> => ({
  name,
  load,
})

/** Carries out a task in this thread. @throws what the task throws */
export const carryOut = async <Input, Result>(task: Task<Input, Result>, input: Input): Promise<Result> =>
  (await task.load())(input)

/** What a thread is sent, and what it answers. */
export interface TaskCall {
  name: string
  input: unknown
}
export type TaskReply = { result: unknown } | { error: string }
