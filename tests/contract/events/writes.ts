import * as account from '../../../server/contracts/account'
import * as actions from '../../../server/contracts/actions'
import * as admin from '../../../server/contracts/admin'
import * as ai from '../../../server/contracts/ai'
import * as answers from '../../../server/contracts/answers'
import * as answersByMail from '../../../server/contracts/answersByMail'
import * as apiKeys from '../../../server/contracts/api-keys'
import * as auth from '../../../server/contracts/auth'
import * as calendly from '../../../server/contracts/calendly'
import * as chat from '../../../server/contracts/chat'
import * as chatbots from '../../../server/contracts/chatbots'
import * as comments from '../../../server/contracts/comments'
import * as contactFilter from '../../../server/contracts/contactFilter'
import * as contactImports from '../../../server/contracts/contactImports'
import * as contactMerges from '../../../server/contracts/contactMerges'
import * as contacts from '../../../server/contracts/contacts'
import * as conversations from '../../../server/contracts/conversations'
import * as crawls from '../../../server/contracts/crawls'
import * as creditPrice from '../../../server/contracts/creditPrice'
import * as cspReports from '../../../server/contracts/cspReports'
import * as customFields from '../../../server/contracts/customFields'
import * as domains from '../../../server/contracts/domains'
import * as embed from '../../../server/contracts/embed'
import * as evaluations from '../../../server/contracts/evaluations'
import * as dataExports from '../../../server/contracts/exports'
import * as feeds from '../../../server/contracts/feeds'
import * as files from '../../../server/contracts/files'
import * as firstSteps from '../../../server/contracts/firstSteps'
import * as flows from '../../../server/contracts/flows'
import * as housekeeping from '../../../server/contracts/housekeeping'
import * as httpTest from '../../../server/contracts/http-test'
import * as inbox from '../../../server/contracts/inbox'
import * as inboxMerges from '../../../server/contracts/inboxMerges'
import * as inboxViews from '../../../server/contracts/inboxViews'
import * as instructions from '../../../server/contracts/instructions'
import * as integrations from '../../../server/contracts/integrations'
import * as invitations from '../../../server/contracts/invitations'
import * as jobs from '../../../server/contracts/jobs'
import * as leads from '../../../server/contracts/leads'
import * as limits from '../../../server/contracts/limits'
import * as localModels from '../../../server/contracts/localModels'
import * as mailEvents from '../../../server/contracts/mailEvents'
import * as mailInbox from '../../../server/contracts/mailInbox'
import * as members from '../../../server/contracts/members'
import * as messageApi from '../../../server/contracts/messageApi'
import * as notifications from '../../../server/contracts/notifications'
import * as passkeys from '../../../server/contracts/passkeys'
import * as reset from '../../../server/contracts/password-reset'
import * as personalNotifications from '../../../server/contracts/personalNotifications'
import * as pictures from '../../../server/contracts/pictures'
import * as playground from '../../../server/contracts/playground'
import * as privacy from '../../../server/contracts/privacy'
import * as profile from '../../../server/contracts/profile'
import * as projects from '../../../server/contracts/projects'
import * as recordings from '../../../server/contracts/recordings'
import type { Route } from '../../../server/contracts/route'
import * as samples from '../../../server/contracts/samples'
import * as sandbox from '../../../server/contracts/sandbox'
import * as secrets from '../../../server/contracts/secrets'
import * as signOn from '../../../server/contracts/signOn'
import * as sources from '../../../server/contracts/sources'
import * as subscription from '../../../server/contracts/subscription'
import * as templates from '../../../server/contracts/templates'
import * as toolServers from '../../../server/contracts/tool-servers'
import * as translations from '../../../server/contracts/translations'
import * as twoFactor from '../../../server/contracts/two-factor'
import * as unanswered from '../../../server/contracts/unanswered'
import * as variables from '../../../server/contracts/variables'
import * as versions from '../../../server/contracts/versions'
import * as web from '../../../server/contracts/web'
import { defaultLook } from '../../../server/contracts/web/look'
import {
  continuationSchema,
  embedSchema,
  languageSchema,
  shareSchema,
  surveySchema,
  visibilitySchema,
} from '../../../server/contracts/web/settings'
import * as webhooks from '../../../server/contracts/webhooks'
import * as webhookTriggers from '../../../server/contracts/webhookTriggers'
import * as weeklyMail from '../../../server/contracts/weeklyMail'
import * as whatsapp from '../../../server/contracts/whatsapp'
import * as whatsappBroadcasts from '../../../server/contracts/whatsappBroadcasts'
import { askForWhatsapp, offerWeb, offerWhatsapp, openLink } from '../../../server/contracts/whatsappContinuation'
import { beginSignup, connectSignup, finishSignup } from '../../../server/contracts/whatsappSignup'
import * as whatsappTemplates from '../../../server/contracts/whatsappTemplates'
import { selfSigned } from '../../../server/modules/domains/acme/requests'
import { registerPerson, type World } from './world'

// A long file, since it is one table: a line for each route that writes, so that none is missed (events.test.ts).

/** A call that works, and the kinds of events that it writes. */
export interface Writes {
  route: AnyRoute
  events: readonly string[]
  call: (world: World) => Promise<Sent>
}
interface Sent {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** a body that is no JSON */
  bytes?: string
  headers?: Record<string, string>
  /** who calls, if not the owner */
  by?: Pick<World['owner'], 'send'>
  /** of a turn: its events have its correlation, not the call's */
  turn?: boolean
  /** who its events say did it, if not an account */
  actor?: 'visitor' | 'bot' | 'bot visitor'
}
// any route: what it is sent is checked where it is called
type AnyRoute = Pick<Route<never, never, never, never>, 'method' | 'path'>

const writes: Writes[] = []
const told = (route: AnyRoute, events: string, call: Writes['call']): void =>
  void writes.push({ route, events: events.split(' '), call })

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const inProject = ({ pgid }: World) => ({ pgid })
const inChatbot = ({ pgid, cgid }: World) => ({ pgid, cgid })
const inFlow = ({ pgid, cgid, fid }: World) => ({ pgid, cgid, fid })
const one = async (world: World, kind: string) => ({ ...inChatbot(world), gid: await world.seed(kind) })
const oneOfProject = async (world: World, kind: string) => ({ pgid: world.pgid, gid: await world.seed(kind) })

// people
told(projects.createProject, 'project.created', async () => ({ body: { name: 'Another' } }))
told(projects.renameProject, 'project.renamed', async (world) => ({ params: inProject(world), body: { name: 'New' } }))
told(creditPrice.updateCreditPrice, 'project.credit_price_changed', async (world) => ({
  params: inProject(world),
  body: { price: 0.02, currency: 'EUR' },
}))
told(members.changeSignInRule, 'project.sign_in_rule_changed', async (world) => ({
  params: inProject(world),
  body: { second_factor_required: false },
}))
told(housekeeping.saveHousekeeping, 'housekeeping.changed', async (world) => ({
  params: inProject(world),
  body: { tests_after_days: 30, steps_after_days: null, mails_after_days: null, versions_kept: null },
}))
const withSignOn = async (world: World) => {
  const { issuer, client } = world.identity
  const body = { issuer, client_id: client.id, client_secret: client.secret, default_role: 6, role_claim: '' } as const
  await world.owner.call(signOn.saveSignOn, { params: inProject(world), body: { ...body, role_map: [] } })
  return { params: inProject(world), body: { ...body, role_map: [] } }
}
told(signOn.saveSignOn, 'sign_on.changed', withSignOn)
told(signOn.requireSignOn, 'project.sign_on_rule_changed', async (world) => ({
  ...(await withSignOn(world)),
  body: { required: false },
}))
told(signOn.changeJoining, 'sign_on.joining_changed', async (world) => ({
  ...(await withSignOn(world)),
  body: { joining: 'ask' },
}))
told(signOn.removeSignOn, 'sign_on.removed', async (world) => ({ ...(await withSignOn(world)), body: {} }))
told(signOn.createScimToken, 'sign_on.directory_connected', async (world) => ({ params: inProject(world) }))
told(signOn.deleteScimToken, 'sign_on.directory_disconnected', async (world) => {
  await world.owner.call(signOn.createScimToken, { params: inProject(world) })
  return { params: inProject(world) }
})
told(signOn.addSignOnDomain, 'sign_on.domain_added', async (world) => ({
  params: inProject(world),
  body: { domain: `${world.slug}.example.com` },
}))
told(signOn.removeSignOnDomain, 'sign_on.domain_removed', async (world) => ({
  params: await oneOfProject(world, 'domains.gid'),
}))
told(projects.updateAllowedAddresses, 'allowed_addresses.changed', async (world) => ({
  params: inProject(world),
  body: { addresses: '127.0.0.1' },
}))
told(projects.updateNetworks, 'networks.changed', async (world) => ({
  params: inProject(world),
  body: { networks: '10.0.0.0/8' },
}))
told(projects.duplicateProject, 'project.created chatbot.created', async (world) => ({ params: inProject(world) }))
told(projects.deleteProject, 'project.deleted chatbot.deleted', async (world) => ({
  params: inProject(world),
  body: { name: world.mark },
}))
told(members.inviteMembers, 'member.invited', async (world) => ({
  params: inProject(world),
  body: { emails: ['new@example.com'], roles: [6] },
}))
told(members.resendInvitation, 'invitation.renewed', async (world) => ({
  params: await oneOfProject(world, 'invitations.gid'),
}))
told(members.revokeInvitation, 'invitation.revoked', async (world) => ({
  params: await oneOfProject(world, 'invitations.gid'),
}))
told(members.changeRoles, 'member.changed', async (world) => ({
  params: await oneOfProject(world, 'members.gid'),
  body: { roles: [4] },
}))
told(members.removeMember, 'member.removed', async (world) => ({ params: await oneOfProject(world, 'members.gid') }))
told(members.leaveProject, 'member.removed', async (world) => ({ params: inProject(world), by: world.member }))
told(invitations.acceptInvitation, 'member.joined', async (world) => {
  const person = await registerPerson(world)
  return { by: person, body: { token: await world.invite(person.user.email) } }
})
told(invitations.acceptAsNew, 'member.joined', async (world) => ({
  by: world.guest,
  body: {
    token: await world.invite('newcomer@example.com'),
    first_name: 'Grace',
    last_name: 'Hopper',
    password: 'nanoseconds',
  },
}))
told(auth.register, 'project.created', async (world) => ({
  by: world.guest,
  body: { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', password: 'nanoseconds' },
}))
/** A member of the project with one of their own, who deletes the account. */
async function leaving(world: World): Promise<Sent> {
  const person = await registerPerson(world)
  await world.join(person)
  return { by: person, body: { current: person.password } }
}
told(auth.finishRegistration, 'project.created', async (world) => ({
  by: world.guest,
  body: {
    token: await world.registration('mary@example.com'),
    first_name: 'Mary',
    last_name: 'Jackson',
    password: 'nanoseconds',
  },
}))
told(profile.deleteAccount, 'member.removed project.deleted', leaving)
told(apiKeys.createApiKey, 'apiKey.created', async (world) => ({ params: inProject(world), body: { name: 'Key' } }))
told(apiKeys.rotateApiKey, 'apiKey.rotated', async (world) => ({ params: await oneOfProject(world, 'api-keys.gid') }))
told(apiKeys.deleteApiKey, 'apiKey.deleted', async (world) => ({ params: await oneOfProject(world, 'api-keys.gid') }))
told(notifications.updateNotifications, 'notifications.changed', async (world) => ({
  params: inProject(world),
  body: { ai_credits_usage: { enabled: false } },
}))
told(personalNotifications.saveMySettings, 'notification_settings.changed', async (world) => ({
  params: inProject(world),
  body: { settings: personalNotifications.personalSchema.parse({}) },
}))

// people whom the project knows
told(contacts.createContact, 'contact.created', async (world) => ({
  params: inProject(world),
  body: { fields: { name: 'Grace' } },
}))
told(contacts.updateContact, 'contact.changed', async (world) => ({
  params: await oneOfProject(world, 'contacts.gid'),
  body: { tags: ['VIP'] },
}))
told(limits.chooseStay, 'project.stay_chosen', async (world) => ({
  params: inProject(world),
  body: { limit: 'chatbots', chosen: [] },
}))
const ownField = { type: 'text' as const, choices: [], in_table: false }
told(customFields.createCustomField, 'contact_fields.changed', async (world) => ({
  params: inProject(world),
  body: { name: 'Plan', ...ownField },
}))
told(customFields.updateCustomField, 'contact_fields.changed', async (world) => ({
  params: await oneOfProject(world, 'contact-fields.gid'),
  body: ownField,
}))
told(customFields.deleteCustomField, 'contact_fields.changed', async (world) => ({
  params: await oneOfProject(world, 'contact-fields.gid'),
}))
const segment = { name: 'All', filter: { match: 'all' as const, conditions: [] } }
told(contactFilter.createSegment, 'segment.changed', async (world) => ({ params: inProject(world), body: segment }))
told(contactFilter.updateSegment, 'segment.changed', async (world) => ({
  params: await oneOfProject(world, 'segments.gid'),
  body: segment,
}))
told(contactFilter.deleteSegment, 'segment.deleted', async (world) => ({
  params: await oneOfProject(world, 'segments.gid'),
}))
told(contactImports.uploadContactImport, 'contact_import.changed', async (world) => ({
  params: inProject(world),
  bytes: 'name,email\nGrace,grace@example.org\n',
  headers: { 'content-type': 'text/csv' },
}))
told(contactImports.checkContactImport, 'contact_import.changed', async (world) => ({
  params: await oneOfProject(world, 'contact-imports.gid'),
  body: { columns: ['email'], key: 'email', on_duplicate: 'skip', tags: [] },
}))
told(contactImports.startContactImport, 'contact_import.changed', async (world) => ({
  params: await oneOfProject(world, 'contact-imports.gid'),
}))
told(contactImports.deleteContactImport, 'contact_import.changed', async (world) => ({
  params: await oneOfProject(world, 'contact-imports.gid'),
}))
told(contactMerges.mergeContacts, 'contact.merged', async (world) => ({
  params: inProject(world),
  body: { into: await world.seed('contacts.gid'), from: await world.seed('contacts.gid'), take: [] },
}))
told(contactMerges.undoMerge, 'contact.unmerged', async (world) => ({
  params: await oneOfProject(world, 'contact-merges.gid'),
}))
told(privacy.eraseContact, 'contact.deleted person.erased', async (world) => ({
  params: await oneOfProject(world, 'contacts.gid'),
}))
told(privacy.saveRetention, 'retention.changed', async (world) => ({
  params: inProject(world),
  body: { delete_after_days: 90, redact_after_days: null, redact: [] },
}))
told(leads.updateLead, 'lead.changed', async (world) => ({
  params: await one(world, 'leads.gid'),
  body: { status: 'won' },
}))
told(weeklyMail.saveWeeklyMail, 'weekly_mail.changed', async (world) => ({
  params: inProject(world),
  body: { enabled: true, weekday: 1, hour: 8, zone: 'UTC' },
}))
told(weeklyMail.addWeeklyGuest, 'weekly_guest.added', async (world) => ({
  params: inProject(world),
  body: { email: 'guest@example.com' },
}))
told(weeklyMail.removeWeeklyGuest, 'weekly_guest.removed', async (world) => ({
  params: await oneOfProject(world, 'weekly-guests.gid'),
}))
told(leads.deleteLead, 'lead.deleted', async (world) => ({ params: await one(world, 'leads.gid') }))
told(dataExports.createExport, 'export.created', async (world) => ({
  params: inProject(world),
  body: { kind: 'contacts' },
}))
told(dataExports.deleteExport, 'export.deleted', async (world) => ({
  params: await oneOfProject(world, 'exports.gid'),
}))

// chatbots and their flows
told(chatbots.createChatbot, 'chatbot.created', async (world) => ({ params: inProject(world), body: { name: 'Bot' } }))
told(samples.addSamples, 'chatbot.created', async (world) => ({ params: inProject(world) }))
told(samples.removeSamples, 'chatbot.deleted', async (world) => {
  await world.owner.call(samples.addSamples, { params: inProject(world) }).catch(() => null)
  return { params: inProject(world) }
})
told(chatbots.updateChatbot, 'chatbot.changed', async (world) => ({ params: inChatbot(world), body: { name: 'Bob' } }))
told(chatbots.upgradeChatbot, 'chatbot.changed', async (world) => {
  const { chatbot } = await world.owner.call(chatbots.createChatbot, {
    params: inProject(world),
    body: { name: 'Simple', type: 1 },
  })
  return { params: { ...inProject(world), cgid: chatbot.gid } }
})
told(chatbots.duplicateChatbot, 'chatbot.created', async (world) => ({ params: inChatbot(world) }))
told(chatbots.deleteChatbot, 'chatbot.deleted', async (world) => ({
  params: inChatbot(world),
  body: { name: world.mark },
}))
const ownHost = ({ mark }: World) => `${mark}.example.com`
async function withDomain(world: World): Promise<{ params: Record<string, string> }> {
  const params = inChatbot(world)
  await world.owner.call(domains.addDomain, { params, body: { hostname: ownHost(world) } })
  return { params }
}
told(domains.addDomain, 'domain.added', async (world) => ({
  params: inChatbot(world),
  body: { hostname: ownHost(world) },
}))
told(domains.uploadCertificate, 'domain.certified', async (world) => {
  const [from, to] = [new Date(Date.now() - 1_000), new Date(Date.now() + 86_400_000)]
  const { cert, key } = selfSigned(ownHost(world), { from, to })
  return { ...(await withDomain(world)), body: { certificate: cert, key } }
})
told(domains.removeDomain, 'domain.removed', withDomain)
told(flows.createFlow, 'flow.created', async (world) => ({ params: inChatbot(world), body: { title: 'Returns' } }))
told(flows.duplicateFlow, 'flow.created', async (world) => ({ params: inFlow(world) }))
told(flows.renameFlow, 'flow.renamed', async (world) => ({ params: inFlow(world), body: { title: 'Begin' } }))
told(flows.deleteFlow, 'flow.deleted', async (world) => ({
  params: { ...inFlow(world), fid: await world.addFlow() },
  body: { confirmed: true },
}))
told(flows.importFlow, 'flow.imported', async (world) => ({
  params: inFlow(world),
  body: { source: world.flowFile, mode: 'replace' },
}))
told(flows.publishFlow, 'flow.published', async (world) => ({ params: inFlow(world), body: {} }))
told(flows.unpublishFlow, 'flow.unpublished', async (world) => ({ params: inFlow(world) }))
told(versions.renameVersion, 'version.changed', async (world) => ({
  params: { ...inChatbot(world), version: '1' },
  body: { name: 'First' },
}))
told(versions.restoreVersion, 'version.restored', async (world) => ({
  params: { ...inChatbot(world), version: '1' },
  body: {},
}))
told(versions.publishVersion, 'flow.published', async (world) => ({ params: { ...inChatbot(world), version: '1' } }))
told(templates.takeTemplate, 'flow.created', async (world) => ({
  params: inChatbot(world),
  body: { template: 'bicycle-workshop' },
}))
told(secrets.createSecret, 'secret.created', async (world) => ({
  params: inProject(world),
  body: { name: 'TOKEN', value: 'open sesame' },
}))
told(secrets.replaceSecret, 'secret.replaced', async (world) => ({
  params: await oneOfProject(world, 'secrets.gid'),
  body: { value: 'open sesame' },
}))
told(secrets.deleteSecret, 'secret.deleted', async (world) => ({
  params: await oneOfProject(world, 'secrets.gid'),
  body: { confirmed: true },
}))

// what answers
// on the web
told(web.saveLook, 'web_settings.changed', async (world) => ({
  params: inChatbot(world),
  body: { look: defaultLook, revision: 0 },
}))
told(web.publishLook, 'look.published', async (world) => {
  const params = inChatbot(world)
  await world.owner.call(web.saveLook, { params, body: { look: defaultLook, revision: 0 } })
  return { params, body: { revision: 1 } }
})
told(web.setSharePassword, 'web_settings.changed', async (world) => ({
  params: inChatbot(world),
  body: { password: 'open sesame' },
}))
told(web.removeSharePassword, 'web_settings.changed', async (world) => ({ params: inChatbot(world) }))
for (const [save, schema] of [
  [web.saveEmbed, embedSchema],
  [web.saveVisibility, visibilitySchema],
  [web.saveShare, shareSchema],
  [web.saveLanguage, languageSchema],
  [web.saveSurvey, surveySchema],
  [web.saveContinuation, continuationSchema],
] as const)
  told(save, 'web_settings.changed', async (world) => ({
    params: inChatbot(world),
    body: { settings: schema.parse({}) },
  }))
told(embed.makeIdentitySecret, 'identity_secret.made', async (world) => ({ params: inChatbot(world), body: {} }))
told(instructions.updateInstructions, 'instructions.changed', async (world) => ({
  params: inChatbot(world),
  body: { text: 'Be brief.', was: '' },
}))
told(ai.updateAiSettings, 'ai.changed', async (world) => ({ params: inChatbot(world), body: { temperature: 0.5 } }))
told(ai.addConnection, 'connection.created', async (world) => ({
  params: inProject(world),
  body: { provider: 'openai-compatible', base_url: world.modelUrl, models: [{ name: 'm', supports_actions: false }] },
}))
told(ai.changeConnection, 'connection.changed', async (world) => ({
  params: await oneOfProject(world, 'ai-connections.gid'),
  body: { base_url: world.modelUrl },
}))
told(ai.deleteConnection, 'connection.deleted', async (world) => ({
  params: await oneOfProject(world, 'ai-connections.gid'),
}))
told(localModels.addLocalModel, 'local_model.added', async (world) => ({
  params: inProject(world),
  body: { address: null, name: 'Small' },
}))
told(localModels.useLocalModel, 'local_model.used', async (world) => ({
  params: await oneOfProject(world, 'local-models.gid'),
  body: { in_use: true },
}))
told(localModels.changeLocalModel, 'local_model.changed', async (world) => ({
  params: await oneOfProject(world, 'local-models.gid'),
  body: { question_prefix: 'query: ' },
}))
told(localModels.deleteLocalModel, 'local_model.deleted', async (world) => ({
  params: await oneOfProject(world, 'local-models.gid'),
}))
const action = {
  kind: 'hand-off',
  name: 'Ask the team',
  description: 'When a person is wanted',
  frequency: 'always',
  parameters: [],
  save_to: null,
  enabled: true,
  config: { team: '', note: '', message: '' },
}
told(actions.createAction, 'action.created', async (world) => ({ params: inChatbot(world), body: action }))
told(actions.updateAction, 'action.changed', async (world) => ({
  params: await one(world, 'actions.gid'),
  body: { action, was: '2026-01-01T00:00:00.000Z' },
}))
told(actions.enableAction, 'action.changed', async (world) => ({
  params: await one(world, 'actions.gid'),
  body: { enabled: false },
}))
told(actions.deleteAction, 'action.deleted', async (world) => ({ params: await one(world, 'actions.gid') }))
told(actions.orderActions, 'actions.ordered', async (world) => ({
  params: inChatbot(world),
  body: { gids: [await world.seed('actions.gid')] },
}))
told(toolServers.addToolServer, 'toolServer.created', async (world) => ({
  params: inChatbot(world),
  body: { name: 'Tools', url: world.toolsUrl },
}))
told(toolServers.changeToolServer, 'toolServer.changed', async (world) => ({
  params: await one(world, 'tool-servers.gid'),
  body: { enabled: false },
}))
told(toolServers.deleteToolServer, 'toolServer.deleted', async (world) => ({
  params: await one(world, 'tool-servers.gid'),
}))

told(integrations.finishConnection, 'integration.connected', async (world) => ({
  body: { vendor: 'google-sheets', ...(await world.consented()) },
}))
told(integrations.connectByHand, 'integration.connected', async (world) => ({
  params: { pgid: world.pgid },
  body: { vendor: 'google-sheets', way: 'google-key', fields: { key: world.serviceKey } },
}))
told(integrations.disconnect, 'integration.disconnected', async (world) => ({
  params: await oneOfProject(world, 'connections.gid'),
  body: { confirmed: false },
}))

told(whatsapp.connectWhatsapp, 'whatsapp.connected', async (world) => ({
  params: inChatbot(world),
  body: await world.whatsappKeys(),
}))
told(whatsapp.saveWhatsappProfile, 'whatsapp.profileChanged', async (world) => ({
  params: await withNumber(world),
  body: { profile: { about: 'We repair bicycles', address: '', description: '', email: '', website: '' } },
}))
told(whatsapp.saveWhatsappPicture, 'whatsapp.profileChanged', async (world) => {
  const { body } = await world.owner.send(
    'POST',
    `/api/projects/${world.pgid}/files?name=shop.png`,
    Buffer.from(PIXEL, 'base64'),
    { 'content-type': 'application/octet-stream' },
  )
  return { params: await withNumber(world), body: { file: (body.data as { file: { gid: string } }).file.gid } }
})
told(whatsappTemplates.submitWhatsappTemplate, 'whatsapp.templateSubmitted', async (world) => ({
  params: await withNumber(world),
  body: {
    ...{ name: `ready_${world.mark.toLowerCase().replace(/[^a-z0-9]/g, '')}`, language: 'en', category: 'UTILITY' },
    ...{ header: '', media: null, body: 'It is ready.', examples: [], footer: '', buttons: [] },
  },
}))
told(offerWhatsapp, 'whatsapp.offered', async (world) => {
  await withNumber(world)
  return { params: { ...inProject(world), conversation: await world.seed('chat.conversation') } }
})
told(askForWhatsapp, 'whatsapp.offered', async (world) => {
  const params = await withNumber(world)
  const { revision } = await world.owner.call(web.readLook, { params })
  const look = { ...defaultLook, parts: { ...defaultLook.parts, whatsapp: true } }
  const saved = await world.owner.call(web.saveLook, { params, body: { look, revision } })
  await world.owner.call(web.publishLook, { params, body: { revision: saved.revision } })
  const conversation = await world.seed('chat.conversation')
  return {
    by: world.guest,
    params: { slug: world.slug, conversation },
    headers: { authorization: `Bearer ${world.token()}` },
    actor: 'visitor',
  }
})
/** A conversation at WhatsApp, to be gone on with on the web. */
async function atWhatsapp(world: World) {
  await withNumber(world)
  const conversation = await world.seed('chat.conversation')
  await world.server.context.db
    .updateTable('conversations')
    .set({ channel: 'whatsapp', address: '447700900123', environment: 'production' })
    .where('gid', '=', conversation)
    .execute()
  return { ...inProject(world), conversation }
}
told(offerWeb, 'whatsapp.offered', async (world) => ({ params: await atWhatsapp(world) }))
told(openLink, 'conversation.started run.started message.created conversation.continued', async (world) => {
  const { link } = await world.owner.call(offerWeb, { params: await atWhatsapp(world) })
  const token = new URL(link).hash.replace('#whatsapp=', '')
  return { by: world.guest, params: { slug: world.slug }, body: { client_id: 'start-001', token }, turn: true }
})
const summer = {
  ...{ name: 'Summer', segment: null, template: { name: 'summer', language: 'en' }, fills: [] },
  ...{ per_minute: 60, price: 0.07, currency: 'EUR' },
}
/** One that has begun, for somebody who has written and agreed. */
async function withBroadcast(world: World) {
  const params = await withAudience(world)
  const { broadcast } = await world.owner.call(whatsappBroadcasts.startBroadcast, { params, body: summer })
  return { ...params, broadcast: broadcast.gid }
}
async function withAudience(world: World) {
  const params = await withNumber(world)
  await world.agreesAtWhatsapp()
  return params
}
told(whatsappBroadcasts.startBroadcast, 'whatsapp.broadcastStarted', async (world) => ({
  params: await withAudience(world),
  body: summer,
}))
told(whatsappBroadcasts.stopBroadcast, 'whatsapp.broadcastStopped', async (world) => ({
  params: await withBroadcast(world),
}))
told(whatsappBroadcasts.resumeBroadcast, 'whatsapp.broadcastResumed', async (world) => {
  const params = await withBroadcast(world)
  await world.owner.call(whatsappBroadcasts.stopBroadcast, { params })
  return { params }
})
told(whatsapp.disconnectWhatsapp, 'whatsapp.disconnected', async (world) => ({ params: await withNumber(world) }))
async function withNumber(world: World) {
  await world.owner.call(whatsapp.connectWhatsapp, { params: inChatbot(world), body: await world.whatsappKeys() })
  return inChatbot(world)
}

const program = { url: 'https://example.com/messages' }
async function withProgram(world: World) {
  await world.owner.call(messageApi.saveMessageApi, { params: inChatbot(world), body: program })
  return inChatbot(world)
}
told(messageApi.saveMessageApi, 'messageApi.connected', async (world) => ({ params: inChatbot(world), body: program }))
told(messageApi.renewMessageApiSecret, 'messageApi.secretRenewed', async (world) => ({
  params: await withProgram(world),
}))
told(messageApi.removeMessageApi, 'messageApi.disconnected', async (world) => ({ params: await withProgram(world) }))

// what they know
const faq = { question: 'When do you open?', answer: 'At nine.', phrasings: [] }
told(sources.addFaq, 'sources.added', async (world) => ({ params: inChatbot(world), body: faq }))
told(sources.addText, 'sources.added', async (world) => ({
  params: inChatbot(world),
  body: { title: 'Hours', markdown: 'We open at nine.' },
}))
told(sources.addLinks, 'sources.added', async (world) => ({
  params: inChatbot(world),
  body: { urls: ['http://127.0.0.1:9/'] },
}))
told(sources.importFaq, 'sources.added', async (world) => ({
  params: inChatbot(world),
  body: { csv: 'question,answer\nWhen?,Now.', check: false },
}))
told(sources.addDocument, 'sources.added', async (world) => ({
  params: inChatbot(world),
  query: { name: 'hours.pdf' },
  bytes: world.pdf,
  headers: { 'content-type': 'application/pdf' },
}))
told(sources.updateFaq, 'sources.changed', async (world) => ({ params: await one(world, 'sources.gid'), body: faq }))
told(sources.allowPlanted, 'sources.changed', async (world) => ({
  params: await one(world, 'sources.gid'),
  body: { allowed: [] },
}))
told(sources.updateText, 'sources.changed', async (world) => ({
  params: await one(world, '/api/projects/:pgid/chatbots/:cgid/sources/:gid/text sources.gid'),
  body: { title: 'Hours', markdown: 'We open at ten.' },
}))
const link = async (world: World) => ({ gids: [await world.seed('sources.gids')] })
told(sources.setResync, 'sources.changed', async (world) => ({
  params: inChatbot(world),
  body: { ...(await link(world)), resync: 'daily' },
}))
told(sources.readAgain, 'sources.queued', async (world) => ({ params: inChatbot(world), body: await link(world) }))
told(sources.stopTraining, 'sources.stopped', async (world) => {
  await world.queueSource()
  return { params: inChatbot(world), body: {} }
})
told(sources.deleteSources, 'sources.deleted', async (world) => ({
  params: inChatbot(world),
  body: await link(world),
}))
told(sources.linkKnowledge, 'knowledge.linked', async (world) => ({
  params: inChatbot(world),
  body: { chatbot: await world.seed('knowledge-link.chatbot') },
}))
told(crawls.startCrawl, 'crawl.started', async (world) => ({
  params: inChatbot(world),
  body: { mode: 'page', url: 'http://127.0.0.1:9/' },
}))
told(crawls.stopCrawl, 'crawl.stopped', async (world) => ({ params: await world.addCrawl('finding') }))
told(crawls.trainCrawl, 'sources.added', async (world) => ({ params: await world.addCrawl('found'), body: {} }))
told(crawls.deleteCrawl, 'crawl.deleted', async (world) => ({ params: await world.addCrawl('found') }))
told(feeds.addFeed, 'feed.added', async (world) => ({
  params: inChatbot(world),
  body: { kind: 'feed', url: 'http://127.0.0.1:9/feed.xml' },
}))
const feed = async (world: World) => ({ params: await one(world, 'feeds.gid') })
told(feeds.updateFeed, 'feed.changed', async (world) => ({ ...(await feed(world)), body: { resync: 'daily' } }))
told(feeds.readFeedNow, 'feed.queued', feed)
told(feeds.deleteFeed, 'feed.deleted', async (world) => ({ ...(await feed(world)), query: { sources: 'keep' } }))

// what is said
told(chat.startConversation, 'conversation.started run.started message.created', async ({ slug, guest }) => ({
  by: guest,
  params: { slug },
  body: { client_id: 'start-0001' },
  turn: true,
}))
told(chat.sendMessage, 'message.created run.ended conversation.closed', async (world) => {
  const conversation = await world.seed('chat.conversation')
  return {
    by: world.guest,
    params: { slug: world.slug, conversation },
    headers: { authorization: `Bearer ${world.token()}` },
    body: { client_id: 'message-1', reply: { type: 'files', fileIds: [await world.seed('chat.fileIds')] } },
    turn: true,
  }
})
told(chat.rateMessage, 'message.rated', async (world) => ({
  by: world.guest,
  params: { slug: world.slug, conversation: await world.seed('conversations.conversation'), seq: '1' },
  headers: { authorization: `Bearer ${world.token()}` },
  body: { helpful: true },
  actor: 'visitor',
}))
const mailbox = {
  enabled: true,
  kind: 'webhook',
  address: 'support@example.com',
  host: '',
  port: 993,
  username: '',
  folder: 'INBOX',
} as const
told(mailInbox.saveMailInbox, 'mail_inbox.changed', async (world) => ({
  params: inProject(world),
  body: { settings: mailbox },
}))
const webhook = {
  ...{ url: 'https://example.com/hook', description: '', personal: false, enabled: true },
  events: ['lead.created' as const],
}
told(webhooks.createWebhook, 'webhook.created', async (world) => ({ params: inProject(world), body: webhook }))
told(webhooks.updateWebhook, 'webhook.changed', async (world) => ({
  params: await oneOfProject(world, 'webhooks.gid'),
  body: { description: 'CRM' },
}))
told(webhooks.deleteWebhook, 'webhook.deleted', async (world) => ({
  params: await oneOfProject(world, 'webhooks.gid'),
}))
told(webhooks.rotateWebhookSecret, 'webhook.changed', async (world) => ({
  params: await oneOfProject(world, 'webhooks.gid'),
}))
told(webhooks.replayWebhook, 'webhook.replayed', async (world) => ({
  params: await oneOfProject(world, 'webhooks.gid'),
  body: { since: '2026-01-01T00:00:00Z', which: 'all' },
}))
told(webhookTriggers.renewHook, 'webhookTrigger.changed', async (world) => ({
  params: { ...inChatbot(world), block: 'called' },
}))
told(webhookTriggers.signHook, 'webhookTrigger.changed', async (world) => ({
  params: { ...inChatbot(world), block: 'called' },
  body: { signed: true },
}))
told(mailInbox.makeMailSecret, 'mail_inbox.changed', async (world) => {
  await world.owner.call(mailInbox.saveMailInbox, { params: inProject(world), body: { settings: mailbox } })
  return { params: inProject(world) }
})
told(chat.answerSurvey, 'survey.answered', async (world) => {
  await world.owner.call(web.saveSurvey, {
    params: inChatbot(world),
    body: { settings: { ...surveySchema.parse({}), enabled: true } },
  })
  const conversation = await world.seed('chat.conversation')
  return {
    by: world.guest,
    params: { slug: world.slug, conversation },
    headers: { authorization: `Bearer ${world.token()}` },
    body: { rating: 5 },
    actor: 'visitor',
  }
})
told(chat.leaveMessage, 'contact.created lead.created', async (world) => {
  const { schedule, ...settings } = visibilitySchema.parse({})
  const closed = { ...settings, schedule: { ...schedule, enabled: true, outside: 'form' as const } }
  await world.owner.call(web.saveVisibility, { params: inChatbot(world), body: { settings: closed } })
  const body = { client_id: 'left-0001', name: 'Ada', email: 'ada@example.org', message: 'Hello' }
  return { by: world.guest, params: { slug: world.slug }, body, actor: 'bot visitor' }
})
told(conversations.sendAgain, 'message.resent', async (world) => ({
  params: { ...inChatbot(world), conversation: await world.seed('conversations.conversation'), seq: '1' },
}))

// the inbox
const changed = (events: string, change: (world: World) => Promise<object> | object): void =>
  told(inbox.changeConversations, events, async (world) => ({
    params: inProject(world),
    body: { conversations: [await world.seed('chat.conversation')], change: await change(world) },
    turn: true,
  }))
changed('conversation.assigned', () => ({ status: 'person' }))
told(inbox.replyToVisitor, 'conversation.assigned message.created', async (world) => ({
  params: { ...inProject(world), conversation: await world.seed('chat.conversation') },
  body: { client_id: 'reply-0001', text: 'Hello', seen: 1 },
  turn: true,
}))
told(inbox.correctMessage, 'message.corrected', async (world) => ({
  params: { ...inProject(world), conversation: await world.seed('conversations.conversation'), seq: '1' },
  body: { source: await world.seed('sources.gid') },
}))
told(inbox.addNote, 'note.added', async (world) => ({
  params: { ...inProject(world), conversation: await world.seed('chat.conversation') },
  body: { client_id: 'note-0001', body: 'Hello' },
}))
const ofOneVisitor = async (world: World) => {
  const both = (await world.seed('inbox.of-one-visitor')).split(' ')
  return { params: { ...inProject(world), conversation: both[0] ?? '' }, body: { conversations: [both[1] ?? ''] } }
}
told(inboxMerges.mergeInbox, 'conversation.merged conversation.closed run.ended', async (world) => ({
  ...(await ofOneVisitor(world)),
  turn: true,
}))
told(inboxMerges.separateInbox, 'conversation.separated conversation.reopened', async (world) => {
  const { params, body } = await ofOneVisitor(world)
  await world.owner.call(inboxMerges.mergeInbox, { params, body })
  return { params, turn: true }
})
told(housekeeping.deleteConversation, 'conversation.deleted', async (world) => {
  const { params, body } = await ofOneVisitor(world)
  return { params: { ...params, conversation: body.conversations[0] ?? '' } }
})
const aLabel = { name: 'Orders', colour: 'blue' }
told(inbox.addLabel, 'label.added', async (world) => ({ params: inProject(world), body: aLabel }))
told(inbox.changeLabel, 'label.changed', async (world) => ({
  params: await oneOfProject(world, 'labels.gid'),
  body: aLabel,
}))
told(inbox.deleteLabel, 'label.deleted', async (world) => ({ params: await oneOfProject(world, 'labels.gid') }))
const aTeam = async (world: World) => ({
  name: 'Sales',
  assignment: 'round_robin',
  members: [(await world.owner.call(inbox.readInboxSetup, { params: inProject(world) })).me],
})
told(inboxViews.changeKeptView, 'sharedView.changed', async (world) => ({
  params: await oneOfProject(world, 'views.gid'),
  body: { name: 'Late ones', shared_with: 'everybody' },
}))
told(inbox.addTeam, 'team.added', async (world) => ({ params: inProject(world), body: await aTeam(world) }))
told(inbox.changeTeam, 'team.changed', async (world) => ({
  params: await oneOfProject(world, 'teams.gid'),
  body: await aTeam(world),
}))
told(inbox.deleteTeam, 'team.deleted', async (world) => ({ params: await oneOfProject(world, 'teams.gid') }))
told(inbox.setOffice, 'office.changed', async (world) => ({
  params: inProject(world),
  body: { team: null, office: { first_answer_minutes: 30 } },
}))
told(inbox.setAway, 'member.away', async (world) => ({ params: inProject(world), body: { away: true } }))
const aReply = { shortcut: 'hello', body: 'Hello' }
told(inbox.addSavedReply, 'savedReply.added', async (world) => ({ params: inProject(world), body: aReply }))
told(inbox.changeSavedReply, 'savedReply.changed', async (world) => ({
  params: await oneOfProject(world, 'saved-replies.gid'),
  body: aReply,
}))
told(inbox.deleteSavedReply, 'savedReply.deleted', async (world) => ({
  params: await oneOfProject(world, 'saved-replies.gid'),
}))
told(playground.startPlayground, 'conversation.started run.started message.created', async (world) => ({
  params: inFlow(world),
  body: { client_id: 'start-0001' },
  turn: true,
}))
told(playground.sendPlaygroundMessage, 'message.created run.ended conversation.closed', async (world) => ({
  params: { ...inFlow(world), conversation: await world.seed('playground.conversation') },
  body: { client_id: 'message-1', reply: { type: 'files', fileIds: [await world.seed('playground.fileIds')] } },
  turn: true,
}))
told(playground.stopPlayground, 'run.ended conversation.closed', async (world) => ({
  params: { ...inFlow(world), conversation: await world.seed('playground.conversation') },
  turn: true,
}))

export const routesThatTell: readonly Writes[] = writes

const ofAccount = 'changes an account alone: events are of projects'
const readsOnly = 'writes nothing'
const ofDraft = 'changes a draft, whose document keeps every change'
const ofTeam = 'is the team’s own paper, whose rows say who wrote what: nothing follows from it'
const ofTest = 'changes a tester’s own run: nothing follows from it'

/** Routes that write no event, and why. */
export const routesThatDoNot: readonly (readonly [why: string, ...routes: AnyRoute[]])[] = [
  [
    ofAccount,
    account.updateSettings,
    auth.askToRegister,
    auth.login,
    auth.logout,
    auth.logoutElsewhere,
    firstSteps.answerSurvey,
    firstSteps.voteFeature,
    firstSteps.updateStart,
    personalNotifications.addPushSubscription,
    personalNotifications.removePushSubscription,
    pictures.setPicture,
    pictures.removePicture,
    profile.updateProfile,
    profile.changePassword,
    profile.changeEmail,
    profile.confirmEmail,
    profile.endSession,
    profile.endOtherSessions,
    twoFactor.loginByCode,
    twoFactor.beginTwoFactor,
    twoFactor.confirmTwoFactor,
    twoFactor.renewRecoveryCodes,
    twoFactor.turnOffTwoFactor,
    passkeys.beginPasskeyLogin,
    passkeys.loginByPasskey,
    passkeys.beginPasskey,
    passkeys.addPasskey,
    passkeys.renamePasskey,
    passkeys.removePasskey,
    reset.requestReset,
    reset.finishReset,
  ],
  [
    readsOnly,
    whatsapp.tryWhatsapp,
    beginSignup,
    finishSignup,
    account.dashboard,
    auth.lookAtRegistration,
    invitations.lookAtInvitation,
    reset.lookAtReset,
    sources.testRetrieval,
    httpTest.sendHttpTest,
    embed.checkSite,
    privacy.previewRetention,
    actions.testAction,
    toolServers.testTool,
    web.readWebsiteLook,
  ],
  ['tells what `connectWhatsapp` does, by the same function (whatsapp/signup.test.ts)', connectSignup],
  ['sends a mail, which is a row that says what became of it', chat.mailTranscript],
  ['marks a member’s own rows as seen', personalNotifications.seeMyNotifications],
  ['ticks a step of a list of hints', account.updateAgentChecklist, chatbots.tickSetupStep],
  ['asks for a look: what comes of it is told by the job', domains.checkDomain],
  ['asks name servers: that a domain is proven is told of (signOn.test.ts)', signOn.checkSignOnDomain],
  [ofDraft, variables.saveVariable, variables.deleteVariable],
  [
    ofTeam,
    comments.createThread,
    comments.replyToThread,
    comments.editComment,
    comments.deleteComment,
    comments.resolveThread,
    comments.reopenThread,
    comments.markThreadRead,
    comments.markAllThreadsRead,
    comments.muteThread,

    evaluations.addEvaluation,
    evaluations.importEvaluations,
    evaluations.changeEvaluation,
    evaluations.deleteEvaluation,
    evaluations.runEvaluations,
    evaluations.setEvaluationRuns,
    unanswered.handleUnanswered,
    recordings.keepTest,
    recordings.runTests,
    recordings.renameTest,
    recordings.acceptTest,
    recordings.deleteTest,
    recordings.importTests,
  ],
  [
    ofTest,
    playground.switchPlayground,
    playground.continuePlayground,
    playground.setPlaygroundVariables,
    playground.rewindPlayground,
  ],
  ['sets what a visitor’s page knows: the conversation’s next turn tells of what comes of it', chat.setVariables],
  [
    'keeps bytes for what names them next, which tells of it',
    files.uploadFile,
    chat.sendFile,
    playground.sendPlaygroundFile,
    inbox.sendReplyFile,
    localModels.uploadLocalModelFile,
  ],
  ['keeps what a visitor consented to, as a row that nobody waits for', chat.sayConsent],
  ['goes on with what was told as it was added', localModels.continueLocalModel],
  ['opens a page: nothing is written', chat.unlockChat],
  [
    'begins or ends mails to an address: nobody else is told',
    answersByMail.endAnswersByMail,
    weeklyMail.confirmWeeklyMail,
    weeklyMail.endWeeklyMail,
  ],
  ['sends a mail that says whether mails arrive', mailInbox.testMailInbox],
  ['says what became of mails: a row that says so', mailEvents.receiveMailEvents],
  [
    'asks Stripe, or is told by it: a plan that comes of it is told by the server itself (subscriptions.test.ts)',
    subscription.receiveStripe,
    subscription.refreshSubscription,
    subscription.startCheckout,
    subscription.openPortal,
    subscription.previewChange,
    subscription.changeSubscription,
    subscription.allowOverage,
    subscription.keepSubscription,
    subscription.cancelSubscription,
    subscription.resumeSubscription,
  ],
  [
    'brings a visitor’s message, whose turn tells of it',
    mailInbox.receiveMailHook,
    whatsapp.receiveWhatsappWebhook,
    messageApi.receiveMessage,
  ],
  ['says what became of a booking, which tells of it if it is a conversation’s', calendly.receiveCalendly],
  ['sends an example outside, which its log tells of', webhooks.testWebhook],
  ['makes an address that nobody has called yet', webhookTriggers.openHook],
  ['forgets an example of the form', webhookTriggers.forgetHookSample],
  ['starts a conversation, or a turn, which tell of it', webhookTriggers.callHook],
  [
    'tells who is there and has read what, which counters say',
    chat.showVisitorPresence,
    inbox.showPresence,
    inbox.seeConversation,
  ],
  ['is the operator’s: the job that goes on tells of what it does', jobs.retryJob, jobs.dismissJob],
  [
    'is of who runs the installation, and noted there (operator_actions); a plan is told of by setPlan.ts',
    admin.retryDeadJob,
    admin.dismissDeadJob,
    admin.retryAll,
    admin.changeAllowance,
    admin.suspendProject,
    admin.resumeProject,
    admin.suspendPerson,
    admin.resumePerson,
    admin.turnOffTwoFactorOf,
    cspReports.clearCspReports,
    admin.viewAs,
    admin.stopViewing,
    admin.announce,
  ],
  ['is a browser’s report, kept in memory for the operator: nobody did anything', cspReports.sendCspReports],
  ['keeps what one member looks at, for themselves alone', inboxViews.keepView, inboxViews.forgetView],
  ['tells who would get it, and sends nothing', whatsappBroadcasts.checkBroadcast],
  ['asks a model: credits tell of it', answers.askChatbot, translations.translateTexts, inbox.translateThread],
  ['is refused beside a vendor’s client, as this server has one: sandboxSwitch.test.ts', sandbox.switchSandbox],
  [
    'leads to a page elsewhere: what comes of it is told when the person is back',
    integrations.beginConnection,
    signOn.beginSignOn,
  ],
  [
    'asks a vendor; a connection that does not work any more is told by the server itself',
    integrations.checkConnection,
    integrations.listChoices,
    integrations.trySheet,
    integrations.tryCrm,
    integrations.tryTicket,
    whatsapp.checkWhatsapp,
    whatsappTemplates.fetchWhatsappTemplates,
  ],
  ['asks again what a server offers; nobody chose anything', toolServers.refreshToolServer],
]
