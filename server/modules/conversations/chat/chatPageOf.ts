import type { ChannelName } from '../../../contracts/channels'
import type { ChatPage } from '../../../contracts/chat'
import type { ServerContext } from '../../../platform/context'
import { availabilityOf } from '../../web/availability'
import type { Channels } from '../channels/channel'
import { type findPublished, notAvailable } from './findPublished'
import { pathOfEntry } from './sharedPage'

/** The channel that visitors may go on at by themselves. */
const PHONE: ChannelName = 'whatsapp'

type Published = Awaited<ReturnType<typeof findPublished>>

/**
 * A published chatbot as its visitors meet it. Throws not_found while it is hidden.
 * @param from where a member comes back to after the log-in
 */
export async function chatPageOf(
  { db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>,
  channels: Channels,
  found: Published,
  { slug, from }: { slug: string; from?: 'domain' },
): Promise<ChatPage> {
  const { name, language, lock, web, projectId, chatbotId } = found
  const availability = availabilityOf(web.visibility, clock())
  if (availability.state === 'hidden') throw notAvailable()
  const { survey, visibility, look } = web
  const { interface_language, texts } = web.language
  const hasPhone =
    look.parts.whatsapp &&
    (await channels.get(PHONE)?.isConnected?.(db.forProject(projectId), projectId, chatbotId)) === true
  return {
    name: look.brand.name || name,
    language: interface_language === 'auto' ? language : interface_language,
    texts,
    look: { ...look, parts: { ...look.parts, whatsapp: hasPhone } },
    lock: lock && (lock.members ? 'members' : 'password'),
    login_url: lock?.members ? config.publicUrl + pathOfEntry(slug, from) : null,
    closed:
      availability.state === 'open'
        ? null
        : {
            message: availability.message,
            form: availability.form,
            opens_at: availability.opensAt?.toISOString() ?? null,
          },
    survey: survey.enabled ? survey : null,
    consent: visibility.consent,
  }
}
