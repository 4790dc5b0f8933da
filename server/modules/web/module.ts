import { defineModule } from '../../platform/modules/defineModule'
import { onboarding } from '../onboarding/module'
import { registerSiteCheck } from './checkSite'
import { registerIdentity } from './identity'
import { registerLook } from './lookRoutes'
import { registerOverview } from './overviewRoutes'
import { createPublications } from './publications'
import { registerWebSettings } from './settingsRoutes'
import { registerSharePassword } from './sharePassword'
import { registerWebsite } from './website/websiteRoutes'

export const web = defineModule({
  name: 'web',
  purpose: 'where and how visitors meet a chatbot on the web',
  needs: { onboarding },
  tables: ['web_chats', 'identity_secrets'],
  create(context) {
    const publications = createPublications(context.bus)
    return {
      provides: { publications },
      routes(app) {
        registerLook(app, context, publications)
        registerWebsite(app, context)
        registerWebSettings(app, context, publications)
        registerSharePassword(app, context)
        registerOverview(app, context)
        registerIdentity(app, context)
        registerSiteCheck(app, context)
      },
    }
  },
})
