import { defineModule } from '../../platform/modules/defineModule'
import { registerContacts } from './routes'
import { createContactService } from './service'

export const contacts = defineModule({
  name: 'contacts',
  purpose: 'who visitors said that they are',
  needs: {},
  tables: ['contacts', 'contact_calls'],
  create: (context) => ({
    routes: (app) => registerContacts(app, context),
    effects: { contacts: createContactService(context) },
  }),
})
