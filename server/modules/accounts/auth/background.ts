import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../platform/context'

/**
 * Runs work that no response waits for, because its duration would reveal whether an account exists. Failures are
 * logged; closing the app waits for running work.
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
