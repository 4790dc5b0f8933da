import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface BillingMailProps {
  language: InterfaceLanguage
  occasion: 'failed' | 'over' | 'trial_ends'
  project: string
  plan: string
  /** YYYY-MM-DD: when the plan or the trial ends */
  until: string
  link: string
}

/** Tells who pays for a project that a payment failed, what came of it, or that a trial ends. */
export function BillingMail({ language, occasion, project, plan, until, link }: BillingMailProps) {
  const texts = mailTexts(language).billing
  const { title, words } = texts[occasion]
  return (
    <Layout preview={title} lang={language}>
      <Title>{title}</Title>
      {words(plan, project, until).map((text) => (
        <Words key={text}>{text}</Words>
      ))}
      <Action href={link} language={language}>
        {occasion === 'trial_ends' ? texts.trial_ends.action : texts.pay}
      </Action>
    </Layout>
  )
}
