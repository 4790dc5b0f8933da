import { defineModule } from '../../platform/modules/defineModule'
import { accounts } from '../accounts/module'
import { agents } from '../agents/module'
import { billing } from '../billing/module'
import { chatbots } from '../chatbots/module'
import { conversations } from '../conversations/module'
import { domains } from '../domains/module'
import { flows } from '../flows/module'
import { knowledge } from '../knowledge/module'
import { models } from '../models/module'
import { onboarding } from '../onboarding/module'
import { subscriptions } from '../subscriptions/module'
import { web } from '../web/module'
import { registerFirstSteps } from './account/firstSteps'
import { registerAccount } from './account/routes'
import { registerCreditPrice } from './creditPrice'
import { registerLimits } from './limits/routes'
import { registerProjects } from './routes'

export const projects = defineModule({
  name: 'projects',
  purpose: 'a project’s life, and the account object that the interface begins with',
  needs: {
    onboarding,
    billing,
    models,
    flows,
    knowledge,
    agents,
    conversations,
    chatbots,
    accounts,
    domains,
    web,
    subscriptions,
  },
  tables: [],
  create: (context, { models, flows: { documents }, domains: { hosts } }) => ({
    routes(app) {
      registerAccount(app, context, models)
      registerFirstSteps(app, context)
      registerLimits(app, context, hosts)
      registerCreditPrice(app, context)
      registerProjects(app, context, documents)
    },
  }),
})
