import { defineModule } from '../../platform/modules/defineModule'
import { createContactsHandler } from './contactsHandler'
import { registerContactFields } from './fields/routes'
import { registerContacts } from './routes'
import { registerSegments } from './segments/routes'

export const contacts = defineModule({
  name: 'contacts',
  purpose: 'who visitors said that they are',
  needs: {},
  tables: ['contacts', 'contact_calls', 'contact_fields', 'contact_segments'],
  create: (context) => ({
    routes(app) {
      registerContacts(app, context)
      registerContactFields(app, context)
      registerSegments(app, context)
    },
    effects: [createContactsHandler(context)],
  }),
})
