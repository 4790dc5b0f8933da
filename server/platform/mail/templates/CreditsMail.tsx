import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface CreditsMailProps {
  project: string
  /** in per cent of the month's credits */
  threshold: number
  used: number
  max: number
  plan: string
  /** YYYY-MM-DD: when the next month's credits start */
  renewed: string
  link: string
}

/** Tells a project's administrators how much of the month's AI credits is used. */
export function CreditsMail({ project, threshold, used, max, plan, renewed, link }: CreditsMailProps) {
  const over = threshold >= 100
  const title = over ? 'This month’s AI credits are used up' : `${threshold} % of this month’s AI credits are used`
  return (
    <Layout preview={title}>
      <Title>{title}</Title>
      <Words>
        {project} has used {number(used)} of {number(max)} credits of its {plan} plan this month. They renew on{' '}
        {renewed}.
      </Words>
      <Words>
        {over
          ? 'Until then, answers that cost credits are paused, and visitors are told. The rest of your flows keeps working. The built-in model is free.'
          : 'When they run out, answers that cost credits are paused until then. The built-in model is free.'}
      </Words>
      <Action href={link}>Open project</Action>
    </Layout>
  )
}

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 })
