const withinFlow = 'an id in the document of the flow that the call names'
const byCaller = 'a name that the caller makes up'
const place = 'a number within the chatbot or the conversation that the call names'

/** What looks like an id and names no row of a project, by kind: and what it names. */
export const notRows: Readonly<Record<string, string>> = {
  'acme-challenge.token': 'what an authority asks the host for that it is of: answered there alone',
  'actions.id': 'what is booked at Calendly',
  'actions.name': byCaller,
  'actions.save_to': byCaller,
  'actions-test.id': 'what is booked at Calendly',
  'actions-test.name': byCaller,
  'actions-test.save_to': byCaller,
  'answers.talk': byCaller,
  'audit-log.subject': 'a part of an event’s type',
  'billing.id': 'an event at Stripe, whose customer says which project it is of',
  'chat.client_id': byCaller,
  'chat.id': 'somebody whom the site knows that holds the chat, by its signature',
  'chat.visit': byCaller,
  'chat.visitor': byCaller,
  'chat.language': 'a language',
  'chat.optionIds': withinFlow,
  'chatbots.vid': withinFlow,
  'http-test.secrets': 'a name, looked up in the caller’s project',
  'feeds.branch': 'a branch of a repository',
  'feeds.fields': 'a field at Salesforce',
  'feeds.secret': 'a name, looked up in the caller’s project',
  'hooks.block': withinFlow,
  'hooks.token': 'the address of a trigger: it is asked for there alone',
  'projects.gid': 'any project of the installation: for who runs it alone (routes.test.ts)',
  'jobs.job': 'likewise a job',
  'inbox.after': 'where a page of a list begins',
  'inbox.before': 'where a page of a search begins: its conversation is looked up in the caller’s project',
  'inbox.client_id': byCaller,
  'inbox.shortcut': byCaller,
  'inbox.tab': byCaller,
  'saved-replies.shortcut': byCaller,
  'mail-inboxes.inbox': 'the inbox whose secret the call is signed with',
  'mail-inboxes.raw': 'a mail’s bytes',
  'mails.token': 'what the link of a visitor’s mail says',
  'message-api.id': byCaller,
  'messages.seq': place,
  'whatsapp.app_id': 'an app at Meta',
  'whatsapp.business_id': 'an account at WhatsApp',
  'whatsapp.number_id': 'a number at WhatsApp',
  'whatsapp.name': 'a template at WhatsApp',
  'whatsapp.connection': 'the number whose webhook is signed with its secret',
  'calendly.connection': 'the account whose webhook is signed with its key',
  'weekly-mails.token': 'what the link of a guest’s mail says',
  'parley-domain.token': 'what Parley asks the host for that it is of: answered there alone',
  'people.gid': 'a person’s picture, of no project: it is for who knows its id, as visitors see whom they talk to',
  'playground.blockId': withinFlow,
  'playground.block_id': withinFlow,
  'playground.client_id': byCaller,
  'playground.flowId': withinFlow,
  'playground.flow_id': withinFlow,
  'playground.group_id': withinFlow,
  'playground.language': 'a language',
  'playground.optionIds': withinFlow,
  'project.slug': 'the address that a chatbot shall have',
  'push-subscriptions.auth': 'a browser’s key',
  'push-subscriptions.p256dh': 'a browser’s key',
  'secrets.name': byCaller,
  'crm-test.id': 'a record at HubSpot or Salesforce',
  'ticket-test.ticket': 'a ticket at Zendesk',
  'sheet-test.id': 'a spreadsheet at Google, or one of its tabs',
  'sign-on.project': 'the project whose provider sends people back there: the state says whose it is',
  'sign-on.client_id': 'Parley at a foreign provider',
  'steps.step': place,
  'templates.slug': 'a template, which all have',
  'templates.template': 'a template, which all have',
  'threads.client_id': byCaller,
  'threads.id': withinFlow,
  'turns.turn': place,
  'versions.version': place,
  'web.excluded_id': 'elements of a foreign page',
}

/** Parameters that are meant for everybody, by method, path and place. */
export const forEverybody: Readonly<Record<string, string>> = {
  'GET /api/chat/:slug params.slug': 'a published chatbot is public',
  'POST /api/chat/:slug/conversations params.slug': 'a published chatbot is public',
  'POST /api/chat/:slug/from-whatsapp params.slug': 'a published chatbot is public: the link’s token is asked',
  'POST /api/chat/:slug/access params.slug': 'a published chatbot is public: its password is asked',
  'POST /api/chat/:slug/left-messages params.slug': 'a published chatbot is public',
  'GET /api/share/:slug/enter params.slug': 'it leads to a page that is public, or to the login',
  'GET /api/embed/:egid params.egid': 'a published chatbot is public, to the sites that may hold it',
  'GET /files/:gid params.gid': 'a file is for who knows its id: pages of chatbots show it',
  'GET /files/sent/:gid params.gid': 'likewise',
}

const field = 'a field of a form: the answer says so beside it'
const opened = 'what a view shows once it is opened: there is nothing of it'
const page = 'where a page of a list begins: what is unknown begins none'
const gone = 'what is no longer there was deleted before'

/** Where a foreign id is answered otherwise than by 404 or 403: the answer has to be the one to an id that nobody has. */
export const answeredAsNobodys: Readonly<Record<string, string>> = {
  'POST /api/projects/:pgid/chatbots/:cgid/whatsapp/profile/picture body.file': field,
  'POST /api/projects/:pgid/chatbots/:cgid/whatsapp/templates body.media.file': field,
  'PATCH /api/projects/:pgid/chatbots/:cgid/ai body.model_id': field,
  'PATCH /api/projects/:pgid/chatbots/:cgid/ai body.fallback_model_id': field,
  'POST /api/projects/:pgid/chatbots/:cgid/answers body.overrides.model_id': 'the set-up is asked for first',
  'POST /api/projects/:pgid/chatbots/:cgid/evaluations body.source': field,
  'POST /api/projects/:pgid/chatbots/:cgid/evaluations/import body.questions.[].source': field,
  'PATCH /api/projects/:pgid/chatbots/:cgid/evaluations/:gid body.source': field,
  'POST /api/chat/:slug/conversations/:conversation/messages body.reply.fileIds.[]': field,
  'POST /api/projects/:pgid/chatbots/:cgid/flows/:fid/playground/:conversation/messages body.reply.fileIds.[]': field,
  'POST /api/projects/:pgid/chatbots/:cgid/actions-order body.gids.[]': 'others than are there: a conflict',
  'POST /api/projects/:pgid/chatbots/:cgid/knowledge-link body.chatbot': field,
  'POST /api/projects/:pgid/chatbots/:cgid/feeds body.connection': field,
  'GET /api/projects/:pgid/contacts query.before': page,
  'GET /api/projects/:pgid/audit-log query.person': 'restricts a list: there is nothing of it',
  'GET /api/projects/:pgid/analytics/conversations query.before': page,
  'GET /api/projects/:pgid/analytics/conversations query.agent': 'restricts a list: there is nothing of it',
  'GET /api/projects/:pgid/chatbots/:cgid/leads query.before': page,
  'GET /api/projects/:pgid/chatbots/:cgid/leads query.owner': 'leads of nobody: an empty list',
  'PATCH /api/projects/:pgid/chatbots/:cgid/leads/:gid body.owner': field,
  'GET /api/projects/:pgid/chatbots/:cgid/results query.before': page,
  'GET /api/projects/:pgid/mails query.before': page,
  'GET /api/projects/:pgid/webhooks/:gid/messages query.before': page,
  'GET /api/projects/:pgid/my-notifications query.before': page,
  'POST /api/projects/:pgid/my-notifications/seen body.id': 'what is not the caller’s is not marked',
  'POST /api/projects/:pgid/my-notifications/seen body.up_to': 'what is not the caller’s is not marked',
  'GET /api/projects/:pgid/inbox query.chatbot': 'restricts a list: there is nothing of it',
  'GET /api/projects/:pgid/inbox query.label': 'restricts a list: there is nothing of it',
  'GET /api/projects/:pgid/inbox query.team': 'restricts a list: there is nothing of it',
  'GET /api/projects/:pgid/inbox/counts query.chatbot': 'restricts what is counted: there is nothing of it',
  'POST /api/projects/:pgid/inbox/views body.filters.chatbot': opened,
  'POST /api/projects/:pgid/inbox/views body.filters.label': opened,
  'POST /api/projects/:pgid/inbox/views body.filters.team': opened,
  'POST /api/projects/:pgid/inbox/views body.shared_with': field,
  'PATCH /api/projects/:pgid/inbox/views/:gid body.shared_with': field,
  'POST /api/projects/:pgid/inbox/changes body.change.assignee': field,
  'POST /api/projects/:pgid/inbox/changes body.change.team': field,
  'POST /api/projects/:pgid/inbox/changes body.change.add_labels.[]': field,
  'POST /api/projects/:pgid/inbox/changes body.change.remove_labels.[]': gone,
  'POST /api/projects/:pgid/inbox/conversations/:conversation/messages/:seq/correction body.source': field,
  'POST /api/projects/:pgid/inbox/conversations/:conversation/replies body.file_ids.[]': field,
  'POST /api/projects/:pgid/inbox/conversations/:conversation/merge body.conversations.[]': field,
  'POST /api/projects/:pgid/inbox/office body.team': field,
  'POST /api/projects/:pgid/inbox/teams body.members.[]': field,
  'PATCH /api/projects/:pgid/inbox/teams/:gid body.members.[]': field,
  'POST /api/chat/:slug/conversations body.resume.conversation': 'a new conversation begins instead',
  'POST /api/projects/:pgid/chatbots/:cgid/versions/:version/restore body.open':
    'the flow that is given back instead of written: of a foreign one there is nothing to give back',
  'POST /api/projects/:pgid/chatbots/:cgid/sources/stop body.gids.[]': gone,
  'POST /api/projects/:pgid/chatbots/:cgid/sources/delete body.gids.[]': gone,
}

/** Numbers in a path that a seeded conversation and a seeded chatbot have. */
export const places: Readonly<Record<string, string>> = { version: '1', turn: '0', step: '0', seq: '1' }

/** A period of the figures. */
const period = { from: '2026-01-01', to: '2026-01-31', zone: 'UTC' }

/** A template that is seeded. */
const ofBroadcast = { 'template.name': 'summer', 'template.language': 'en', 'fills.[].field': 'name' }

/** What a body (of GET: a query) has to say that its JSON Schema does not tell, by method and path; by the places in it. */
export const mustBeSaid: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /api/chat/:slug/conversations/:conversation/messages/:seq/rating': { helpful: true },
  'POST /api/chat/:slug/conversations/:conversation/consent': { given: true },
  'GET /api/projects/:pgid/analytics': period,
  'GET /api/projects/:pgid/analytics/conversations': period,
  'POST /api/projects/:pgid/contact-imports/:gid/check': { 'columns.[]': 'email', key: 'email' },
  'POST /api/projects/:pgid/exports': { kind: 'contacts' },
  'PATCH /api/projects/:pgid/weekly-mail': { zone: 'UTC' },
  'POST /api/projects/:pgid/weekly-mail/guests': { email: 'guest@example.com' },
  'PATCH /api/projects/:pgid/segments/:gid': {
    'filter.conditions.[].field': 'name',
    'filter.conditions.[].operator': 'is-set',
  },
  'POST /api/projects/:pgid/chatbots/:cgid/whatsapp/broadcasts/check': ofBroadcast,
  'POST /api/projects/:pgid/chatbots/:cgid/whatsapp/broadcasts': { ...ofBroadcast, currency: 'EUR' },
  'POST /api/projects/:pgid/chatbots/:cgid/evaluations': { unknown: false },
  'POST /api/projects/:pgid/chatbots/:cgid/evaluations/import': { 'questions.[].unknown': false },
  'PATCH /api/projects/:pgid/chatbots/:cgid/evaluations/:gid': { unknown: false },
  'POST /api/projects/:pgid/chatbots/:cgid/flows/:fid/playground/:conversation/rewind': { turn: 0 },
  'POST /api/user/passkeys/:gid/remove': { current: 'correct horse battery' },
}

/** Routes that refuse also the owner of the seeded row, for another reason than whose it is. */
export const refusedAlsoToOwners: Readonly<Record<string, { status: number; why: string }>> = {
  'PATCH /api/projects/:pgid/chatbots/:cgid/actions/:gid': { status: 422, why: 'the kind of an action stays' },
  'POST /api/projects/:pgid/contact-merges': { status: 404, why: 'who was merged is not there any more' },
  'POST /api/projects/:pgid/sign-on/domains/:gid/check': { status: 422, why: 'the domain has no record' },
  'PATCH /api/projects/:pgid/ai-connections/:gid': { status: 422, why: 'its server is in a private network' },
  'POST /api/projects/:pgid/local-models/:gid/files': { status: 409, why: 'its files are here already' },
  'POST /api/projects/:pgid/inbox/conversations/:conversation/translations': { status: 409, why: 'there is no model' },
  'POST /api/projects/:pgid/inbox/conversations/:conversation/merge': {
    status: 422,
    why: 'there is no other conversation of its visitor',
  },
  'POST /api/projects/:pgid/inbox/conversations/:conversation/whatsapp-link': {
    status: 409,
    why: 'the chatbot has no number',
  },
  'POST /api/projects/:pgid/inbox/conversations/:conversation/web-link': {
    status: 409,
    why: 'the conversation is none of WhatsApp',
  },
  'POST /api/projects/:pgid/chatbots/:cgid/answers': { status: 409, why: 'the chatbot is not set up' },
  'POST /api/chat/:slug/conversations/:conversation/transcript': { status: 422, why: 'that is no address' },
  'POST /api/chat/:slug/conversations/:conversation/whatsapp-link': {
    status: 404,
    why: 'the chatbot does not offer it',
  },
  'POST /api/projects/:pgid/chatbots/:cgid/whatsapp/profile/picture': {
    status: 422,
    why: 'the file has no bytes here',
  },
  'POST /api/projects/:pgid/chatbots/:cgid/whatsapp/templates': { status: 422, why: 'likewise' },
  'POST /api/chat/:slug/conversations/:conversation/survey': { status: 404, why: 'the chatbot asks nothing' },
  'POST /api/projects/:pgid/chatbots/:cgid/feeds': { status: 422, why: 'the account is none at Salesforce' },
  'POST /api/projects/:pgid/chatbots/:cgid/crawls/:gid/train': { status: 422, why: 'the crawl has found no page' },
}

/** Routes that answer without an end where they answer at all. */
export const streams: ReadonlySet<string> = new Set([
  'GET /api/projects/:pgid/my-notifications/events',
  'GET /api/projects/:pgid/inbox/events',
  'GET /api/chat/:slug/conversations/:conversation/events',
  'GET /api/projects/:pgid/chatbots/:cgid/flows/:fid/playground/:conversation/events',
])
