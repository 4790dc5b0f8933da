import { randomBytes } from 'node:crypto'
import type { BotMessage, InputRequest, Reply } from '../../engine/flow/conversation'
import { ask, sayMessage } from '../../engine/flow/steps'
import type { Config } from '../../server/platform/config/config'
import { insertPublishedFlow } from './publishedFlow'
import { courses, flow, leave, scriptedRegistry, text } from './scripted'
import { startTestServer, type TestServer } from './server'

export interface ScriptedBots {
  server: TestServer
  /**
   * publishes a chatbot that says and asks these in order; returns its page's address and, as they come, the replies
   */
  publish(steps: readonly (BotMessage | InputRequest | string)[]): Promise<{ url: string; replies: Reply[] }>
  /** moves the server's clock forward; done once what was due by then has happened */
  pass(seconds: number): Promise<void>
}

/** A server whose chatbots say and ask what a test defines, independent of the real kinds. */
export async function startScriptedBots(clientDir: string, config: Partial<Config> = {}): Promise<ScriptedBots> {
  courses.start = () => leave('next')
  let ahead = 0
  const clock = () => new Date(Date.now() + ahead * 1_000)
  const server = await startTestServer({ registry: scriptedRegistry, clientDir, clock, config })
  return {
    server,
    async pass(seconds) {
      ahead += seconds
      await server.context.jobs.runDue()
    },
    async publish(steps) {
      const slug = `bot-${randomBytes(6).toString('hex')}`
      const replies: Reply[] = []
      courses[slug] = function* () {
        for (const [index, step] of steps.entries()) {
          if (typeof step === 'string') yield* text(step)
          else if ('kind' in step) yield* sayMessage(step)
          else replies[index] = yield* ask(step)
        }
        return 'next'
      }
      await insertPublishedFlow(server.context.db, flow({ g: ['start', slug] }), slug)
      return { url: `${server.url}/c/${slug}`, replies }
    },
  }
}
