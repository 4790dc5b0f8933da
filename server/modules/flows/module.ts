import { defineModule } from '../../platform/modules/defineModule'
import { mails } from '../mails/module'
import { secrets } from '../secrets/module'
import { attachCollab } from './collab/attach'
import { createDocuments } from './collab/documents'
import { mailComments } from './comments/mails'
import { registerComments } from './comments/routes'
import { registerFlows } from './flows/routes'
import { createProjectHttp } from './httpRequest/projectHttp'
import { registerHttpTest } from './httpRequest/routes'
import { registerSecrets } from './secrets/routes'
import { registerVariables } from './variables/routes'
import { registerVersions } from './versions/routes'

export const flows = defineModule({
  name: 'flows',
  purpose: 'drafts, versions, comments, and editing them together',
  needs: { mails, secrets },
  tables: ['flows', 'flow_updates', 'flow_snapshots', 'flow_versions', 'comment_threads', 'comments', 'comment_reads'],
  create(context, { mails: { send } }) {
    const documents = createDocuments(context)
    return {
      provides: { documents },
      routes(app) {
        registerFlows(app, context, documents)
        registerVariables(app, context, documents)
        registerVersions(app, context, documents)
        registerComments(app, context, documents)
        registerHttpTest(app, context)
        registerSecrets(app, context, documents)
        attachCollab(app, context, documents)
      },
      jobs: [mailComments(context, send)],
      effects: [createProjectHttp(context)],
    }
  },
})
