import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface WeeklyQuestionMailProps {
  /** who wants to share the figures */
  person: string
  /** the chatbot, or the project */
  about: string
  days: number
  /** null: the reader of this copy must not see it */
  link: string | null
}

/** Asks somebody without an account whether they want the figures of each week by mail. */
export function WeeklyQuestionMail({ person, about, days, link }: WeeklyQuestionMailProps) {
  return (
    <Layout preview={`${person} wants to share the figures of ${about} with you.`}>
      <Title>
        {person} wants to share the figures of {about} with you
      </Title>
      <Words>You would get one email a week: how many conversations there were, and how they went.</Words>
      {link === null ? (
        <Words>The link is only in the email itself.</Words>
      ) : (
        <Action href={link}>Get weekly emails</Action>
      )}
      <Words>The link expires in {days} days. If you do not want these emails, you can ignore this one.</Words>
    </Layout>
  )
}
