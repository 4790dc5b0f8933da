import { defineModule } from '../../platform/modules/defineModule'
import { chatbots } from '../chatbots/module'
import { flows } from '../flows/module'
import { mails } from '../mails/module'
import { onboarding } from '../onboarding/module'
import { createAccountParts } from './accountParts'
import { registerApiKeys } from './api-keys/routes'
import { registerAuth } from './auth/routes'
import { registerInvitations } from './invitations/routes'
import { registerMembers } from './members/routes'
import { registerPasskeys } from './passkeys/routes'
import { registerPasswordReset } from './password-reset/routes'
import { registerPictures } from './profile/pictures'
import { registerProfile } from './profile/routes'
import { registerTwoFactor } from './two-factor/routes'

export const accounts = defineModule({
  name: 'accounts',
  purpose: 'people, their sessions and passwords, projects’ members and invitations',
  needs: { onboarding, mails, flows, chatbots },
  tables: [
    'users',
    'user_pictures',
    'sessions',
    'user_settings',
    'projects',
    'project_members',
    'invitations',
    'password_resets',
    'known_devices',
    'registrations',
    'email_changes',
    'api_keys',
    'two_factors',
    'recovery_codes',
    'begun_logins',
    'passkeys',
    'passkey_challenges',
  ],
  create: (context, { mails: { send }, flows: { documents } }) => ({
    routes(app) {
      const parts = createAccountParts(app, context, documents)
      registerAuth(app, context, parts)
      registerTwoFactor(app, context, parts)
      registerPasskeys(app, context, parts)
      registerPasswordReset(app, context, documents)
      registerProfile(app, context, parts)
      registerPictures(app, context)
      registerMembers(app, context, documents, send)
      registerInvitations(app, context)
      registerApiKeys(app, context)
    },
  }),
})
