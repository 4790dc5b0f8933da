import { Link, Text } from '@react-email/components'
import { Action, Title } from './Action'
import { Layout } from './Layout'

export interface LeftMessageMailProps {
  chatbot: string
  name: string
  email: string
  message: string
  /** opens the contacts */
  link: string
}

/** Gives people what a visitor has written while nobody was there. */
export function LeftMessageMail({ chatbot, name, email, message, link }: LeftMessageMailProps) {
  return (
    <Layout preview={message.slice(0, 140)}>
      <Title>{`${name} left a message with ${chatbot}`}</Title>
      <Text style={TEXT}>
        Answer to <Link href={`mailto:${email}`}>{email}</Link>, or reply to this mail.
      </Text>
      <Text style={TEXT}>{message}</Text>
      <Action href={link}>Open the contacts</Action>
    </Layout>
  )
}

const TEXT = { margin: '0 0 8px', fontSize: 15, lineHeight: '22px', whiteSpace: 'pre-wrap' } as const
