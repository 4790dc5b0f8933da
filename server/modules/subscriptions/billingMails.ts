import { languageOf } from '../../access/languageOf'
import { payersOf } from '../../access/owners'
import { planOf } from '../../access/plans'
import type { ServerContext } from '../../platform/context'
import { mailTexts } from '../../platform/mail/texts/mailTexts'
import type { Mailer } from '../mails/createMailer'
import { graceUntil, type SubscriptionState } from './subscriptionState'

type Occasion = 'failed' | 'over' | 'trial_ends'
const DAY = 86_400_000
/** How long before a trial's end it is told. */
const TRIAL_NOTICE = 3 * DAY

/** What there is to tell of a subscription at a time; each occasion has a key of its own, and is mailed once. */
export function occasionsOf(state: SubscriptionState, now: Date): { occasion: Occasion; key: string }[] {
  const grace = graceUntil(state)
  const told: { occasion: Occasion; key: string }[] = []
  if (grace && state.status === 'past_due')
    told.push({ occasion: now < grace ? 'failed' : 'over', key: state.failing_since ?? '' })
  const left = state.trial_end === null ? null : Date.parse(state.trial_end) - now.getTime()
  if (left !== null && left > 0 && left <= TRIAL_NOTICE && state.cancel_at === null)
    told.push({ occasion: 'trial_ends', key: state.trial_end ?? '' })
  return told
}

/** Mails owners, and who looks after billing, what they have to know. Each gets each occasion once. */
export const createBillingMails =
  ({ db, clock, config, log }: Pick<ServerContext, 'db' | 'clock' | 'config' | 'log'>, send: Mailer) =>
  async (projectId: string): Promise<void> => {
    const own = db.forProject(projectId)
    const row = await own
      .selectFrom('subscriptions')
      .innerJoin('projects', 'projects.id', 'subscriptions.project_id')
      .select(['state', 'gid', 'name'])
      .executeTakeFirst()
    if (!row?.state) return
    const { state, gid, name } = row
    const occasions = occasionsOf(state, clock())
    if (occasions.length === 0) return
    const emails = await payersOf(own, projectId)
    const day = (date: Date | null) => (date ?? clock()).toISOString().slice(0, 10)
    for (const { occasion, key } of occasions)
      for (const email of emails) {
        const plan = planOf(state.plan_id).name
        const language = await languageOf(own, email)
        const sent = await send({
          ...{
            projectId,
            conversationId: null,
            purpose: 'billing',
            fromName: '',
            to: [email],
            cc: [],
            bcc: [],
            replyTo: [],
          },
          key: `billing.${occasion}.${state.id}.${key}.${email.toLowerCase()}`,
          subject: mailTexts(language).billing[occasion].subject(name),
          body: {
            ...{ template: 'billing', language, occasion, project: name, plan },
            until: occasion === 'trial_ends' ? day(new Date(state.trial_end ?? 0)) : day(graceUntil(state)),
            link: `${config.publicUrl}/projects/${gid}/settings/billing/subscription`,
          },
        })
        if (!sent.ok) log.warn({ projectId, error: sent.error }, 'a mail about billing could not be sent')
      }
  }
