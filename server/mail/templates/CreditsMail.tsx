import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface CreditsMailProps {
  project: string
  /** in per cent of the month's */
  threshold: number
  used: number
  max: number
  plan: string
  /** YYYY-MM-DD: when the next month's are there */
  renewed: string
  link: string
}

/** Tells who looks after a project how much of the month's AI credits is used. */
export function CreditsMail({ project, threshold, used, max, plan, renewed, link }: CreditsMailProps) {
  const over = threshold >= 100
  const title = over ? 'The AI credits of this month are used up' : `${threshold} % of this month's AI credits are used`
  return (
    <Layout preview={title}>
      <Title>{title}</Title>
      <Words>
        {project} has used {number(used)} of the {number(max)} credits that its plan ({plan}) has for this month. New
        ones come on {renewed}.
      </Words>
      <Words>
        {over
          ? 'Until then, answers that cost credits are not given: visitors are told so politely, and everything else in your flows goes on. The built-in model costs none.'
          : 'Once they are used up, answers that cost credits are not given until then. The built-in model costs none.'}
      </Words>
      <Action href={link}>Open the project</Action>
    </Layout>
  )
}

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 })
