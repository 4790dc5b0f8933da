import type { TestServer } from './server'

/**
 * Ends what goes on in the background after calls: consumers of events, and jobs that are due, with what each causes for
 * the other. For tests that compare rows before and after.
 */
export async function endBackgroundWork({ app, context }: Pick<TestServer, 'app' | 'context'>): Promise<void> {
  for (;;) {
    await app.modules.consumers.runDue()
    const jobs = await context.jobs.runDue()
    if (jobs === 0) return
  }
}
