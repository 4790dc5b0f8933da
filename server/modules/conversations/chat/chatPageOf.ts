import type { ChatPage } from '../../../contracts/chat'
import type { ServerContext } from '../../../platform/context'
import { availabilityOf } from '../../web/availability'
import { type findPublished, notAvailable } from './findPublished'
import { pathOfEntry } from './sharedPage'

/**
 * A published chatbot as its visitors meet it. Throws not_found while it is hidden.
 * @param from where a member comes back to after the log-in
 */
export function chatPageOf(
  { clock, config }: Pick<ServerContext, 'clock' | 'config'>,
  { name, language, lock, web }: Awaited<ReturnType<typeof findPublished>>,
  { slug, from }: { slug: string; from?: 'domain' },
): ChatPage {
  const availability = availabilityOf(web.visibility, clock())
  if (availability.state === 'hidden') throw notAvailable()
  const { survey, visibility, look } = web
  const { interface_language, texts } = web.language
  return {
    name: look.brand.name || name,
    language: interface_language === 'auto' ? language : interface_language,
    texts,
    look,
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
