import { parentPort } from 'node:worker_threads'
import { carryOut, type Task, type TaskCall, type TaskReply } from './defineTask'
import { ownBuffers } from './ownBuffers'

/** Makes this thread (thread.ts) run these tasks, one after another. */
export function answerTasks(tasks: readonly Task<never, unknown>[]): void {
  const byName = new Map(tasks.map((task) => [task.name, task]))
  const answer = async ({ name, input }: TaskCall): Promise<TaskReply> => {
    try {
      const task = byName.get(name)
      if (!task) throw new Error(`There is no task called ${name}.`)
      return { result: await carryOut(task, input as never) }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }
  parentPort?.on('message', async (call: TaskCall) => {
    const reply = await answer(call)
    // nothing here uses a result afterwards
    parentPort?.postMessage(reply, ownBuffers(reply))
  })
}
