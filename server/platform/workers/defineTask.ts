/**
 * A function for worker threads. Input and result can be copied by `structuredClone`. A task has no database and no
 * network; its input is untrusted, and may use up the time and memory of its thread.
 */
export interface Task<Input, Result> {
  /** identifies it among `server/tasks.ts` */
  name: string
  /** imports the function in the thread: a thread loads only what it is asked for */
  load: () => Promise<(input: Input) => Result | Promise<Result>>
}

/** Declares a function that threads run; `server/tasks.ts` lists them all. */
export const defineTask = <Input, Result>(name: string, load: Task<Input, Result>['load']): Task<Input, Result> => ({
  name,
  load,
})

/** Runs a task in this thread. @throws what the task throws */
export const carryOut = async <Input, Result>(task: Task<Input, Result>, input: Input): Promise<Result> =>
  (await task.load())(input)

/** Messages to and from a thread. */
export interface TaskCall {
  name: string
  input: unknown
}
export type TaskReply = { result: unknown } | { error: string }
