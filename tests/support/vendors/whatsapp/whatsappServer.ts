import { importFlow, publishFlow } from '../../../../server/contracts/flows'
import { connectWhatsapp } from '../../../../server/contracts/whatsapp'
import { parseConfig } from '../../../../server/platform/config/config'
import type { TestClock } from '../../clock'
import { makeChatbot } from '../../collab'
import { type Registered, startTestServer, type TestServer } from '../../server'
import { keysOf, startWhatsapp } from './startWhatsapp'

type Whatsapp = Awaited<ReturnType<typeof startWhatsapp>>

interface WhatsappServer {
  whatsapp: Whatsapp
  server: TestServer
  ada: Registered
  place: { pgid: string; cgid: string }
  fid: string
  /** Lets all happen that follows from what was sent and is due. */
  settle(): Promise<void>
  close(): Promise<void>
}

interface Wanted {
  clock: TestClock
  /** publishes the chatbot’s flow: this one, or as it is made */
  flow?: object | 'made'
  /** connects the chatbot with the number */
  connected?: boolean
  /** variables of the environment beside the stand-in’s address */
  env?: (whatsapp: Whatsapp) => Readonly<Record<string, string>>
}

/** A server beside the stand-in of WhatsApp, with a member and a chatbot of theirs. */
export async function startWhatsappServer({ clock, flow, connected, env }: Wanted): Promise<WhatsappServer> {
  const whatsapp = await startWhatsapp({ clock })
  const { vendors } = parseConfig({ WHATSAPP_API_URL: whatsapp.origin, ...env?.(whatsapp) })
  const server = await startTestServer({ config: { vendors }, clock })
  server.context.config.publicUrl = server.url
  const ada = await server.register()
  const { pgid, cgid, fid } = await makeChatbot(ada)
  const place = { pgid, cgid }
  const params = { ...place, fid }
  if (typeof flow === 'object')
    await ada.call(importFlow, { params, body: { source: JSON.stringify(flow), mode: 'replace' } })
  if (flow) await ada.call(publishFlow, { params })
  if (connected) await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
  return {
    ...{ whatsapp, server, ada, place, fid },
    async settle() {
      do await whatsapp.webhooks.settle()
      while ((await server.context.jobs.runDue()) > 0)
      await whatsapp.webhooks.settle()
    },
    async close() {
      await server.close()
      await whatsapp.close()
    },
  }
}
