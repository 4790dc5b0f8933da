/** Where upgrade banners lead (SPEC.md 2): the screen goes back to the chatbot that it is told of. */
const placeOf = (slug: string) => (pgid: string, chatbot?: string) =>
  `/projects/${pgid}/settings/billing/${slug}${chatbot ? `?chatbot_gid=${chatbot}` : ''}`

export const billingPlans = placeOf('plans')
export const billingAddons = placeOf('addons')
