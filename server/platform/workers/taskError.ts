/** `slow`: out of time; `large`: out of memory; `lost`: the thread ended; `failed`: the task threw. */
export type TaskFault = 'slow' | 'large' | 'lost' | 'failed'

/** Thrown when a task did not complete. */
export class TaskError extends Error {
  override readonly name = 'TaskError'
  constructor(
    readonly fault: TaskFault,
    message: string,
  ) {
    super(message)
  }
}
