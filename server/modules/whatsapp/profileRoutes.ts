import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ProjectCaller } from '../../access/access'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/whatsapp'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import type { ConnectionRow } from './connections'
import { whatsappProfileChanged } from './events'
import type { Graph } from './graph'
import type { NumberOf } from './numberOf'
import { projectFile } from './projectFile'

const PICTURE = {
  ...{ field: 'file', types: ['image/jpeg', 'image/png'], most: contract.PROFILE_PICTURE_BYTES },
  wanted: 'WhatsApp takes JPEG and PNG pictures of at most 5 MB',
}

/** What people see of the business at WhatsApp, which keeps it: texts, addresses and a picture. */
export function registerProfile(
  app: FastifyInstance,
  context: ServerContext,
  { graph, numbers: { find, during } }: { graph: Graph; numbers: NumberOf },
): void {
  registerRoute(app, context, contract.readWhatsappProfile, async ({ caller, params }) =>
    readProfile(await find(caller, params.cgid)),
  )

  registerRoute(app, context, contract.saveWhatsappProfile, async ({ caller, params, body, origin }) => {
    const row = await find(caller, params.cgid)
    const { website, ...texts } = body.profile
    // WhatsApp takes no empty texts: what is not there is left as it is
    const filled = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
    const answer = await during(row, (token) =>
      graph.post(token, `${row.number_id}/whatsapp_business_profile`, {
        ...{ messaging_product: 'whatsapp', ...filled },
        websites: website === '' ? [] : [website],
      }),
    )
    if (answer === null)
      throw new ApiError('unavailable', { message: 'WhatsApp did not take it. Check the connection.' })
    return changed(caller, row, params.cgid, origin)
  })

  registerRoute(app, context, contract.saveWhatsappPicture, async ({ caller, params, body, origin }) => {
    const row = await find(caller, params.cgid)
    const file = await projectFile(caller.db, context.files, body.file, PICTURE)
    const answer = await during(row, async (token) => {
      const handle = await graph.upload(token, row.app_id, file)
      const picture = { messaging_product: 'whatsapp', profile_picture_handle: handle }
      return graph.post(token, `${row.number_id}/whatsapp_business_profile`, picture)
    })
    if (answer === null)
      throw new ApiError('unavailable', { message: 'WhatsApp did not take it. Check the connection.' })
    return changed(caller, row, params.cgid, origin)
  })

  async function changed({ db }: ProjectCaller, row: ConnectionRow, chatbot: string, origin: EventContext) {
    await db.transaction().execute((work) => appendEvent(work, whatsappProfileChanged, origin, { chatbot }))
    return readProfile(row)
  }

  async function readProfile(row: ConnectionRow): Promise<contract.WhatsappProfileState> {
    const answer = await during(row, (token) =>
      graph.get(
        token,
        `${row.number_id}/whatsapp_business_profile?fields=about,address,description,email,websites,profile_picture_url`,
      ),
    )
    if (answer === null)
      throw new ApiError('unavailable', { message: 'WhatsApp does not say what the profile is. Check the connection.' })
    const { data } = z
      .object({ data: z.array(profileSchema) })
      .catch({ data: [] })
      .parse(answer)
    const {
      about = '',
      address = '',
      description = '',
      email = '',
      websites = [],
      profile_picture_url: picture = '',
    } = data[0]?.business_profile ?? data[0] ?? {}
    return {
      profile: { about, address, description, email, website: websites[0] ?? '' },
      picture: /^https?:\/\//.test(picture) ? picture : '',
    }
  }
}

const fieldsOfProfile = {
  about: z.string().max(500).optional().catch(undefined),
  address: z.string().max(500).optional().catch(undefined),
  description: z.string().max(2_000).optional().catch(undefined),
  email: z.string().max(320).optional().catch(undefined),
  websites: z.array(z.string().max(2_000)).optional().catch(undefined),
  profile_picture_url: z.string().max(4_000).optional().catch(undefined),
}
/** Meta's document puts the fields one level deeper than its server has done. */
const profileSchema = z.object({
  ...fieldsOfProfile,
  business_profile: z.object(fieldsOfProfile).optional().catch(undefined),
})
