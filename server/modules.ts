import { accounts } from './modules/accounts/module'
import { admin } from './modules/admin/module'
import { agents } from './modules/agents/module'
import { api } from './modules/api/module'
import { audit } from './modules/audit/module'
import { billing } from './modules/billing/module'
import { chatbots } from './modules/chatbots/module'
import { contacts } from './modules/contacts/module'
import { conversations } from './modules/conversations/module'
import { domains } from './modules/domains/module'
import { exports } from './modules/exports/module'
import { flows } from './modules/flows/module'
import { handOff } from './modules/handOff/module'
import { housekeeping } from './modules/housekeeping/module'
import { inbox } from './modules/inbox/module'
import { insights } from './modules/insights/module'
import { integrations } from './modules/integrations/module'
import { knowledge } from './modules/knowledge/module'
import { mails } from './modules/mails/module'
import { mcp } from './modules/mcp/module'
import { messageApi } from './modules/messageApi/module'
import { models } from './modules/models/module'
import { notifications } from './modules/notifications/module'
import { onboarding } from './modules/onboarding/module'
import { operations } from './modules/operations/module'
import { privacy } from './modules/privacy/module'
import { projects } from './modules/projects/module'
import { secrets } from './modules/secrets/module'
import { signOn } from './modules/signOn/module'
import { statistics } from './modules/statistics/module'
import { subscriptions } from './modules/subscriptions/module'
import { templates } from './modules/templates/module'
import { testing } from './modules/testing/module'
import { unanswered } from './modules/unanswered/module'
import { web } from './modules/web/module'
import { webhooks } from './modules/webhooks/module'
import { whatsapp } from './modules/whatsapp/module'
import type { AnyModule } from './platform/modules/defineModule'

/** The server's modules, one per line, in dependency order where possible. composeModules.ts creates them in order. */
export const modules: readonly AnyModule[] = [
  onboarding,
  web,
  billing,
  secrets,
  statistics,
  contacts,
  domains,
  mails,
  subscriptions,
  notifications,
  handOff,
  models,
  flows,
  integrations,
  knowledge,
  templates,
  agents,
  conversations,
  insights,
  unanswered,
  exports,
  privacy,
  housekeeping,
  webhooks,
  messageApi,
  whatsapp,
  inbox,
  testing,
  chatbots,
  accounts,
  signOn,
  projects,
  audit,
  api,
  mcp,
  operations,
  admin,
]
