import { defineModule } from '../../platform/modules/defineModule'
import { onboarding } from '../onboarding/module'
import { registerLook } from './lookRoutes'
import { registerOverview } from './overviewRoutes'
import { registerWebSettings } from './settingsRoutes'
import { registerSharePassword } from './sharePassword'
import { registerWebsite } from './website/websiteRoutes'

export const web = defineModule({
  name: 'web',
  purpose: 'where and how visitors meet a chatbot on the web',
  needs: { onboarding },
  tables: ['web_chats'],
  create: (context) => ({
    routes(app) {
      registerLook(app, context)
      registerWebsite(app, context)
      registerWebSettings(app, context)
      registerSharePassword(app, context)
      registerOverview(app, context)
    },
  }),
})
