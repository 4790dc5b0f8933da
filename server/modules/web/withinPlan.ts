import { type Entitled, hasFeature } from '../../access/entitlements'
import type { WebChat } from './webSettings'

/**
 * How a chatbot is on the web while its project has a plan: what the plan lacks is as if it were not set. Decided for
 * each visitor, so that it holds from the moment when a plan ends, and what was set is back with the plan. A password
 * stays: a plan that ends opens no door.
 */
export function withinPlan(web: WebChat, project: Entitled): WebChat {
  const { look, survey } = web
  return {
    ...web,
    look: { ...look, parts: { ...look.parts, branding: look.parts.branding || !hasFeature(project, 'no_branding') } },
    survey: { ...survey, enabled: survey.enabled && hasFeature(project, 'survey') },
  }
}
