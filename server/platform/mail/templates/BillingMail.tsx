import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface BillingMailProps {
  occasion: 'failed' | 'over' | 'trial_ends'
  project: string
  plan: string
  /** YYYY-MM-DD: when the plan or the trial ends */
  until: string
  link: string
}

/** Tells who pays for a project that a payment failed, what came of it, or that a trial ends. */
export function BillingMail({ occasion, project, plan, until, link }: BillingMailProps) {
  const { title, words, action } = texts[occasion]({ project, plan, until })
  return (
    <Layout preview={title}>
      <Title>{title}</Title>
      {words.map((text) => (
        <Words key={text}>{text}</Words>
      ))}
      <Action href={link}>{action}</Action>
    </Layout>
  )
}

type Said = Pick<BillingMailProps, 'project' | 'plan' | 'until'>

const texts: Record<BillingMailProps['occasion'], (said: Said) => { title: string; words: string[]; action: string }> =
  {
    failed: ({ project, plan, until }) => ({
      title: 'A payment failed',
      words: [
        `The ${plan} plan of ${project} could not be charged. The card may have expired, or the bank wants you to confirm.`,
        `Nothing changes until ${until}. The payment is tried again meanwhile; after that day the project has the free plan, and nothing is deleted.`,
      ],
      action: 'Pay now',
    }),
    over: ({ project, plan }) => ({
      title: 'The plan ended',
      words: [
        `The ${plan} plan of ${project} could not be charged for too long. The project has the free plan now. Nothing was deleted.`,
        'Once the open invoice is paid, the plan is back.',
      ],
      action: 'Pay now',
    }),
    trial_ends: ({ project, plan, until }) => ({
      title: 'The trial ends soon',
      words: [
        `The trial of the ${plan} plan of ${project} ends on ${until}. Then the card is charged for the first time. Cancel before, if you don’t want that.`,
      ],
      action: 'See the subscription',
    }),
  }
