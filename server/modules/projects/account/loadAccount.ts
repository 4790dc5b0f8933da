import type { CallerUser } from '../../../access/access'
import { isAllowedFrom } from '../../../access/allowedAddresses'
import { type ChatbotRow, chatbotsOf } from '../../../access/chatbots'
import { entitlementsOf, hasFeature } from '../../../access/entitlements'
import { placesOf } from '../../../access/overLimit'
import { presentReadOnly, seenBy } from '../../../access/readOnlyPlaces'
import { isAllowed } from '../../../access/roles'
import { refusalOfSignIn } from '../../../access/signInRule'
import type { Account, Usage } from '../../../contracts/account'
import { pictureAddress } from '../../../contracts/pictures'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { keysOf } from '../../accounts/api-keys/routes'
import { seatsOf } from '../../accounts/members/seats'
import { type Membership, membershipsOf } from '../../accounts/projects/memberships'
import { presentProject } from '../../accounts/projects/presenter'
import { usedMessageCredits } from '../../billing/credits'
import { usedCredits, usedTrainingOnce } from '../../billing/monthlyCredits'
import { presentChatbot } from '../../chatbots/presenter'
import { presentWidgetDomain } from '../../domains/presenter'
import { countDomains, domainOf } from '../../domains/rows'
import type { Models } from '../../models/models'
import { settingsOf as aiSettingsOf } from '../../models/settings'
import { storedState } from '../../subscriptions/storedState'
import { readWebChat } from '../../web/webSettings'
import { chatbotContents, chatbotSources } from './chatbotContents'
import { hideUnseen } from './fields'
import {
  presentAddons,
  presentAi,
  presentCatalogues,
  presentChecklist,
  presentCreditNotices,
  presentCurrentChatbot,
  presentSources,
  presentSubscription,
  presentUsage,
} from './presenter'
import { settingsOf } from './settings'

interface Place {
  pgid?: string | null | undefined
  cgid?: string | null | undefined
}

/**
 * The account state of SPEC.md 3 and 7, limited to what the user's roles in the project may see.
 * @throws ApiError `not_found` if the user is not a member of the project, or the chatbot is not in it;
 *   `second_factor_required`, `sign_on_required`, `address_not_allowed`
 */
export async function loadAccount(
  context: ServerContext,
  models: Models,
  user: CallerUser,
  place: Place,
): Promise<Account> {
  const { db } = context
  const memberships = await membershipsOf(db, user.id)
  const membership = await findMembership(db, memberships, place, user)
  const sees = (feature: `${string}.${string}`) => isAllowed(membership?.roles ?? [], feature)
  // no project has the id 0
  const own = db.forProject(membership?.id ?? '0')
  const chatbots = membership && sees('chatbots.view') ? await chatbotsOf(own, membership.id) : []
  const chatbot = place.cgid ? chatbots.find(({ gid }) => gid === place.cgid) : undefined
  if (place.cgid && !chatbot) throw new ApiError(membership && !sees('chatbots.view') ? 'forbidden' : 'not_found')
  const project = membership
    ? await ofProject({ ...context, db: own }, membership.id)
    : {
        seats: 0,
        emails: 0,
        speech: 0,
        messages: { month: 0, lifetime: 0 },
        training: 0,
        trainingOnce: 0,
        resyncs: 0,
        domains: 0,
        conversations: 0,
        checklist: {},
        notices: null,
      }
  const plan = entitlementsOf(membership ?? { plan_id: 'self-hosted', addons: {} })
  const quiet = { enabled: false, emails: [] }
  const person = await personOf(db, user.id)
  const account: Account = {
    user: {
      ui: user.gid,
      account: {
        email: user.email,
        first_name: user.first_name,
        last_name: user.last_name,
        picture: pictureAddress(person.picture),
        // WhatsApp is no trial any more: whoever's plan has it
        wa_beta_enabled: membership !== undefined && hasFeature(membership, 'whatsapp'),
        emailed_verified: person.email_verified,
        ph_identified: Boolean(person.identified),
      },
      settings: await settingsOf(db, user.id, context.clock()),
      project: membership ? presentProject(membership) : null,
      projects: memberships.map(presentProject),
      project_roles: membership?.roles ?? [],
      seat_over: membership?.over ?? false,
      over_limit: membership
        ? presentReadOnly(seenBy(membership.roles, await placesOf(own, membership.id, membership)))
        : [],
      chatbots: chatbots.map(({ gid, name, version, sample }) => ({ gid, name, version, sample })),
      chatbot: membership && chatbot ? await currentChatbot(own, membership.id, chatbot) : null,
      ai: presentAi(membership ? await models.catalogue(membership.id) : []),
      custom_domain: { widget: chatbot ? await widgetDomain({ ...context, db: own }, chatbot.id) : null },
      project_notifications: {
        new_contact: project.notices?.contact ?? quiet,
        new_conversation: project.notices?.conversation ?? quiet,
        ai_credits_usage: presentCreditNotices(project.notices?.credits ?? null),
      },
      usage: presentUsage(plan, membership?.addons ?? {}, { ...project, chatbots: membership?.chatbots ?? 0 }),
      // one that was paid before payments were switched off says nothing any more
      subscription: presentSubscription(plan, membership && context.config.stripe ? await storedState(own) : null),
      billing_addons_subscription: presentAddons(membership?.addons ?? {}),
      total_conversations: project.conversations,
      onboarding_checklist: { agent: presentChecklist(project.checklist) },
      api_keys: membership
        ? (await keysOf({ db: own }, membership.id, user.id)).map(({ id, name, preview, timestamp }) => ({
            id,
            name,
            preview,
            timestamp,
          }))
        : [],
    },
    all_sources: presentSources(
      membership && chatbot && sees('knowledge_base.view') ? await chatbotSources(own, membership.id, chatbot.id) : [],
    ),
    v2_upgrade_enabled: sees('chatbots.update') && chatbots.some(({ version }) => version === 1),
    ...presentCatalogues(context.config, {
      ...{ seat: membership?.over ?? false, chatbot: chatbot?.over ?? false, version1: chatbot?.version === 1 },
    }),
  }
  return membership ? hideUnseen(account, sees) : account
}

async function widgetDomain({ db, config, clock }: { db: Db } & Pick<ServerContext, 'config' | 'clock'>, id: string) {
  const row = await domainOf(db, id)
  return row ? presentWidgetDomain(row, config, clock()) : null
}

/** A chatbot with its settings, all of them. @param chatbot of the project */
export async function currentChatbot(db: Db, projectId: string, chatbot: ChatbotRow) {
  const ai = await aiSettingsOf(db, projectId, chatbot.id)
  const web = await readWebChat(db, { projectId, chatbotId: chatbot.id })
  return presentCurrentChatbot(presentChatbot(chatbot), ai, await chatbotContents(db, projectId, chatbot.id), web)
}

/** The requested project, or the requested chatbot's, or the first that opens: the default one is before others. */
async function findMembership(
  db: Db,
  memberships: Membership[],
  { pgid, cgid }: Place,
  user: CallerUser,
): Promise<Membership | undefined> {
  const isFrom = (membership: Membership) =>
    user.viewer !== undefined || isAllowedFrom(user.address, membership.allowed_addresses)
  const opens = (membership: Membership) => refusalOfSignIn(membership, user) === null && isFrom(membership)
  if (!pgid && !cgid) return memberships.find(opens)
  const row = pgid
    ? undefined
    : await db
        .selectFrom('chatbots')
        .select('project_id')
        .where('gid', '=', cgid ?? '')
        .where('project_id', 'in', ['0', ...memberships.map(({ id }) => id)])
        .executeTakeFirst()
  const found = memberships.find(({ id, gid }) => (pgid ? gid === pgid : id === row?.project_id))
  if (!found) throw new ApiError('not_found')
  if (!isFrom(found)) throw new ApiError('address_not_allowed')
  const refusal = refusalOfSignIn(found, user)
  if (refusal) throw new ApiError(refusal)
  return found
}

/** What of a project counts in its plan's meters. */
async function usedBy({ db, clock }: { db: Db } & Pick<ServerContext, 'clock'>, projectId: string) {
  const seats = await seatsOf(db, projectId, clock())
  return {
    seats: seats.members + seats.invitations,
    emails: await usedCredits(db, projectId, 'email_credits', clock()),
    speech: await usedCredits(db, projectId, 'speech_to_text_seconds', clock()),
    training: await usedCredits(db, projectId, 'training_credits', clock()),
    trainingOnce: await usedTrainingOnce(db, projectId),
    resyncs: await usedCredits(db, projectId, 'resync_credits', clock()),
    domains: await countDomains(db, projectId),
    messages: await usedMessageCredits(db, projectId, clock()),
  }
}

/** @returns the meters of a project alone, as the account has them */
export async function loadUsage(
  context: { db: Db } & Pick<ServerContext, 'clock'>,
  project: Parameters<typeof entitlementsOf>[0] & { id: string },
): Promise<Usage> {
  const chatbots = await chatbotsOf(context.db, project.id)
  return presentUsage(entitlementsOf(project), project.addons, {
    ...(await usedBy(context, project.id)),
    chatbots: chatbots.filter(({ sample }) => !sample).length,
  })
}

async function ofProject({ db, clock }: { db: Db } & Pick<ServerContext, 'clock'>, projectId: string) {
  const row = await db
    .selectFrom('projects')
    .select(({ selectFrom, fn }) => [
      'checklist',
      'credit_notices',
      'credit_notice_emails',
      'credit_notice_thresholds',
      'new_contact_notices',
      'new_contact_emails',
      'new_conversation_notices',
      'new_conversation_emails',
      // tests of drafts don't count in analytics and totals, and neither do samples
      selectFrom('conversations')
        .where('project_id', '=', projectId)
        .where('environment', 'in', ['production', 'sharing'])
        .where('chatbot_id', 'not in', (of) =>
          of
            .selectFrom('chatbots')
            .select('chatbots.id')
            .whereRef('chatbots.project_id', '=', 'projects.id')
            .where('sample', '=', true),
        )
        .select(fn.countAll<string>().as('count'))
        .as('conversations'),
    ])
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow()
  return {
    ...(await usedBy({ db, clock }, projectId)),
    checklist: row.checklist,
    conversations: Number(row.conversations),
    notices: {
      credits: {
        enabled: row.credit_notices,
        emails: row.credit_notice_emails,
        thresholds: row.credit_notice_thresholds,
      },
      contact: { enabled: row.new_contact_notices, emails: row.new_contact_emails },
      conversation: { enabled: row.new_conversation_notices, emails: row.new_conversation_emails },
    },
  }
}

const personOf = (db: Db, userId: string) =>
  db
    .selectFrom('users')
    .leftJoin('user_settings', 'user_settings.user_id', 'users.id')
    .select(({ eb, or }) => [
      'email_verified',
      'picture',
      or([eb('survey', 'is not', null), eb('feature_vote', 'is not', null)]).as('identified'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
