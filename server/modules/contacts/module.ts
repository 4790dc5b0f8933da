import { defineModule } from '../../platform/modules/defineModule'
import { createContactsHandler } from './contactsHandler'
import { registerContacts } from './routes'

export const contacts = defineModule({
  name: 'contacts',
  purpose: 'who visitors said that they are',
  needs: {},
  tables: ['contacts', 'contact_calls'],
  create: (context) => ({
    routes: (app) => registerContacts(app, context),
    effects: [createContactsHandler(context)],
  }),
})
