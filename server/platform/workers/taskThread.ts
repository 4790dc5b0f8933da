import { parentPort } from 'node:worker_threads'
import { ownBuffers } from './ownBuffers'
import { type TaskCall, type TaskReply, tasks } from './tasks'

const carriedOut = async ({ name, input }: TaskCall): Promise<TaskReply> => {
  try {
    const task = (tasks as Record<string, (input: never) => Promise<unknown>>)[name]
    if (!task) throw new Error(`There is no task called ${name}.`)
    return { result: await task(input as never) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** The program of a thread (thread.ts), built beside the server's: one task after the other. */
parentPort?.on('message', async (call: TaskCall) => {
  const reply = await carriedOut(call)
  // nothing here uses a result any more
  parentPort?.postMessage(reply, ownBuffers(reply))
})
