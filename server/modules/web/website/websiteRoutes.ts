import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { readWebsiteLook } from '../../../contracts/web'
import type { WebsiteLook } from '../../../contracts/web/websiteLook'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { OutboundError } from '../../../platform/outbound/errors'
import { createOutboundFetch, type OutboundResponse } from '../../../platform/outbound/outboundFetch'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { webAddressProblem } from '../../../platform/outbound/webAddress'
import { runTask } from '../../../platform/workers/runTask'
import { readSite } from '../tasks'

/** Bytes of the page, of one style sheet and of the manifest; what is beyond them is not read. */
const PAGE = 1_500_000
const SHEET = 400_000
const MANIFEST = 50_000
/** ms for one of them. */
const FETCH_MS = 8_000

/** The colours of an editor's own website: looked at on request, nothing is kept. */
export function registerWebsite(app: FastifyInstance, context: ServerContext): void {
  const fetchOutbound = createOutboundFetch({ allowed: context.config.outboundAllow })

  registerRoute(app, context, readWebsiteLook, async ({ caller: { db, project }, params, body: { url } }) => {
    await chatbotOf(db, project.id, params.cgid)
    const allowed = await networksOf(context, project.id)
    const problem = webAddressProblem(url, allowed)
    if (problem) throw refusal(problem)
    const get = (address: string, maxBytes: number) =>
      fetchOutbound({ url: address, maxBytes, timeoutMs: FETCH_MS, allowed, headers: [['accept', '*/*']] })
    const page = await get(url, PAGE).catch(refuse)
    if (page.status >= 400) throw refusal(`The website answered ${page.status}.`)
    const read = await runTask(readSite, { step: 'head', html: page.body, url: page.url })
    if (!('head' in read)) throw new Error('The head was asked for')
    const { head } = read
    const optional = (address: string, maxBytes: number): Promise<OutboundResponse | null> =>
      get(address, maxBytes).then(
        (answer) => (answer.status < 400 ? answer : null),
        () => null,
      )
    const [manifest, ...sheets] = await Promise.all([
      head.manifest ? optional(head.manifest, MANIFEST) : null,
      ...head.sheets.map((address) => optional(address, SHEET)),
    ])
    const found = await runTask(readSite, {
      step: 'colours',
      sheets: sheets.flatMap((sheet) => sheet?.body ?? []),
      styles: head.styles,
      named: head.themeColour ? [head.themeColour] : [],
      manifest: manifest?.body ?? null,
    })
    if (!('colours' in found)) throw new Error('The colours were asked for')
    return { found: presentFound(head.name ?? found.name, head.icon, found.colours) }
  })
}

function presentFound(
  name: string | null,
  avatar: string | null,
  { accent, background, text }: { accent: string | null; background: string | null; text: string | null },
): WebsiteLook {
  return {
    ...(name && { name: name.slice(0, 100) }),
    ...(avatar && avatar.length <= 2_048 && { avatar }),
    ...(accent && { accent }),
    ...(background && { background }),
    ...(text && { text }),
  }
}

const refusal = (message: string) => new ApiError('invalid', { message, fields: { url: message } })
function refuse(error: unknown): never {
  if (error instanceof OutboundError) throw refusal(error.message)
  throw error
}
