import { beforeAll, describe, expect, test } from 'vitest'
import { bareHandles } from '../support/bareHandles'

/**
 * The files of modules that work with the handle that sees all projects (`context.db`), and why. All others have that of one project:
 * `caller.db` in a route, `context.db.forProject(id)` elsewhere.
 */
const named: Readonly<Record<string, string>> = {
  // people, who belong to several projects or to none yet
  'accounts/auth/createUser.ts': 'makes an account with its first project',
  'accounts/auth/knownDevices.ts': 'a person’s own rows',
  'accounts/auth/registrationRoutes.ts': 'nobody is logged in yet',
  'accounts/auth/routes.ts': 'nobody is logged in yet',
  'accounts/auth/setup.ts': 'whether there is an account',
  'accounts/invitations/routes.ts': 'the link names the project, and who opens it is no member yet',
  'accounts/members/changeMembers.ts': 'locks and changes rows of accounts too',
  'accounts/password-reset/routes.ts': 'nobody is logged in yet',
  'accounts/profile/pictures.ts': 'a person’s own row; a picture for who knows its id',
  'accounts/profile/routes.ts': 'a person’s own rows, in all projects',
  'flows/collab/access.ts': 'a log-in: session, account and roles by one query',
  'signOn/admit.ts': 'makes accounts, and finds them by their address',
  'signOn/attempts.ts': 'nobody is logged in yet: the state names the project',
  'signOn/domains.ts': 'a sweep',
  'signOn/scim/people.ts': 'makes accounts, and finds them by their address',
  'signOn/scim/groups.ts': 'the token names the project, and the roles are of accounts',
  'signOn/scim/serveScim.ts': 'the token names the project',
  'signOn/entryRoutes.ts': 'nobody is logged in yet: the address names the project',
  'projects/account/loadAccount.ts': 'which projects a person has; what is in one is read by its handle',
  'projects/account/firstSteps.ts': 'a person’s own rows, in all projects',
  'projects/account/routes.ts': 'a person’s own rows, in all projects',
  // a project as a whole
  'chatbots/deletion.ts': 'deletes all rows of a project, and takes it out of people’s settings',
  'chatbots/routes.ts': 'deleting a chatbot takes it out of people’s settings',
  'chatbots/samples/routes.ts': 'removing the sample chatbot takes it out of people’s settings',
  'projects/routes.ts': 'makes, copies and deletes projects',
  // of who runs the installation, in all projects
  'admin/announcement.ts': 'the installation’s row',
  'admin/changeAllowance.ts': 'a project by its id; it is changed by its handle',
  'admin/cspReports.ts': 'what operators did',
  'admin/deadJobs.ts': 'jobs of all projects',
  'admin/lists.ts': 'all projects and accounts',
  'admin/routes.ts': 'the installation’s row, and what operators did',
  'admin/suspend.ts': 'projects and accounts as a whole',
  'admin/viewing.ts': 'an operator’s own session',
  // sweeps, of all projects
  'agents/actions/headerSecrets.ts': 'a change of stored form at the start',
  'api/module.ts': 'a sweep',
  'billing/module.ts': 'a sweep',
  'conversations/files/forgetFiles.ts': 'a sweep',
  'conversations/runtime/sweeps.ts': 'a sweep',
  'flows/secrets/moveOpenSecrets.ts': 'a change of stored form at the start',
  'contacts/imports/importContacts.ts': 'a sweep',
  'contacts/merges/routes.ts': 'a sweep',
  'exports/forgetExports.ts': 'a sweep',
  'insights/facts/countFacts.ts': 'a sweep',
  'insights/days/rollDays.ts': 'a sweep',
  'insights/weekly/sendWeekly.ts': 'a sweep',
  'knowledge/crawl/lostCrawls.ts': 'a sweep',
  'knowledge/feeds/dueFeeds.ts': 'a sweep',
  'knowledge/training/payForDue.ts': 'a sweep',
  'knowledge/training/requeueLost.ts': 'a sweep',
  'knowledge/training/resyncDue.ts': 'a sweep',
  'knowledge/warmUp.ts': 'whether anybody has sources',
  'mails/receiveEvents.ts': 'mails by what a delivery service tells of them',
  'notifications/module.ts': 'a sweep',
  'notifications/push.ts': 'a person’s browsers, in all projects; the installation’s keys',
  'integrations/sandbox/refusal.ts': 'whether the installation has a real account, and who owns its projects',
  'integrations/sandbox/sandboxSwitch.ts': 'the accounts at stand-ins of all projects, which end with them',
  'integrations/turns.ts': 'a lock, of no project',
  'integrations/writes.ts': 'a sweep',
  'integrations/calendly/keepHooks.ts': 'a sweep',
  'integrations/calendly/hooks.ts': 'an account by the address of its webhook',
  'operations/metrics/readState.ts': 'the state of the installation',
  'operations/probes/routes.ts': 'the state of the installation',
  'operations/updates/askForUpdate.ts': 'the installation’s row',
  'privacy/retention.ts': 'a sweep',
  'secrets/renewSeals.ts': 'a change of stored form at the start',
  'statistics/countVisits.ts': 'a sweep',
  'subscriptions/webhooks.ts': 'a project by its customer at Stripe; sweeps',
  'webhooks/module.ts': 'a sweep',
  'whatsapp/module.ts': 'a sweep',
  'webhooks/incoming/triggers.ts': 'a trigger by the address that is called',
  'webhooks/log.ts': 'which epoch the log of events is at, which the installation’s row says',
  'webhooks/deliveries.ts': 'what is due of all projects',
  // of all projects whose inbox is looked at in this process
  'inbox/live.ts': 'the event log of all of them, by one look',
  // what row-level security would keep from its index
  'inbox/search.ts': 'a search of one project’s messages: it names the project twice',
  // what a visitor has says whose it is: the project is found by it
  'integrations/connections/consent.ts': 'a project by the state that a vendor sends back',
  'domains/acme/createIssuer.ts': 'the installation’s account at a certificate authority',
  'domains/claim.ts': 'a host that another project did not prove to own',
  'domains/hosts.ts': 'a chatbot by its own host',
  'domains/publicRoutes.ts': 'what authorities ask a host for',
  'domains/tls/contexts.ts': 'what authorities ask a host for',
  'conversations/chat/findPublished.ts': 'a chatbot by its public address',
  'conversations/chat/sharedPage.ts': 'the host of a chatbot by its public address',
  'conversations/continuation/unsubscribe.ts': 'a conversation by the link of its visitor’s mail',
  'insights/weekly/pages.ts': 'a guest by the link of their mail',
  'conversations/files/routes.ts': 'a file for who knows its id',
  'conversations/inboundMail/routes.ts': 'an inbox by the address of its webhook',
  'conversations/runtime/createRuntime.ts': 'a conversation by its token; reads it for its visitor',
  'conversations/runtime/sentFiles.ts': 'a file for who knows its id',
  'whatsapp/connections.ts': 'a number by what a webhook of it names',
  'whatsapp/storeWebhooks.ts': 'webhooks of several numbers by one statement',
  // turns: what they cost with the handle is in platform/database/README.md
  'conversations/runtime/beginRuns.ts': 'begins conversations: a statement of one project’s rows',
  'conversations/runtime/calls.ts': 'the calls of turns',
  'conversations/runtime/runTask.ts': 'a turn under the lock of its conversation',
  'conversations/runtime/turns.ts': 'carries out turns; goes on with those of all projects that a crash cut',
}

const planted = {
  'labels/queries.ts': `
    import type { ServerContext } from '../../platform/context'
    export const all = ({ db: everything }: Pick<ServerContext, 'db'>) => everything.selectFrom('chatbots').execute()
    export const own = ({ db }: ServerContext, id: string) => db.forProject(id).selectFrom('chatbots').execute()
    export const passed = (context: ServerContext) => own(context, '1')`,
  'labels/handed.ts': `
    import { findFlow } from '../../access/findFlow'
    import type { ServerContext } from '../../platform/context'
    export const flow = (context: ServerContext) => findFlow(context, '1', { cgid: '', fid: '' })`,
  'labels/raw.ts': `
    import { sql } from 'kysely'
    import type { ServerContext } from '../../platform/context'
    export const ask = (context: ServerContext) => sql\`select 1\`.execute(context.db)`,
}

/** It checks the types of all modules, for a minute: a part of `npm run test:full`. */
describe.runIf(process.env.FULL)('the handle that sees all projects', () => {
  let found: Map<string, number[]>
  beforeAll(() => {
    found = bareHandles('server/modules', planted)
  }, 300_000)

  test('modules use the handle that sees all projects in named places alone', () => {
    const files = [...found.keys()].filter((path) => !(path in planted))
    expect(files.sort()).toEqual(Object.keys(named).sort())
  })

  test('whatever it is called, however it is handed on: a use of it is seen, and one of a project’s is none', () => {
    expect(Object.keys(planted).map((path) => [path, found.get(path)])).toEqual([
      ['labels/queries.ts', [3]],
      ['labels/handed.ts', [4]],
      ['labels/raw.ts', [4]],
    ])
  })
})
