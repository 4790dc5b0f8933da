import { defineModule } from '../../platform/modules/defineModule'

export const onboarding = defineModule({
  name: 'onboarding',
  purpose: 'what of a project’s first steps is done',
  needs: {},
  tables: [],
  create: () => ({}),
})
