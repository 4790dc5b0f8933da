import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../platform/context'

/**
 * Makes what runs work that no answer waits for: how long it takes would tell whether there is such an account. What fails is logged;
 * closing the app waits for what runs.
 */
export function createBackground(
  app: FastifyInstance,
  { log }: Pick<ServerContext, 'log'>,
  failure: string,
): (work: Promise<void>) => void {
  const running = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.allSettled(running)
  })
  return (work) => {
    const ended = work.catch((error) => log.error({ err: error }, failure)).finally(() => running.delete(ended))
    running.add(ended)
  }
}
