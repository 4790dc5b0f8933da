import { Button, Heading, Link, Text } from '@react-email/components'
import type { ReactNode } from 'react'
import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'

export const Title = ({ children }: { children: ReactNode }) => (
  <Heading as="h1" style={{ margin: '0 0 12px', fontSize: 20, lineHeight: '28px' }}>
    {children}
  </Heading>
)

export const Words = ({ children }: { children: ReactNode }) => (
  <Text style={{ margin: '0 0 12px', fontSize: 15, lineHeight: '22px' }}>{children}</Text>
)

/** The call to action: a button, and its address for copying. */
export function Action({
  href,
  language,
  children,
}: {
  href: string
  language: InterfaceLanguage
  children: ReactNode
}) {
  return (
    <>
      <Button href={href} style={BUTTON}>
        {children}
      </Button>
      <Text style={{ margin: '0 0 16px', fontSize: 13, lineHeight: '20px', color: '#5c5e59' }}>
        {mailTexts(language).orOpen} <Link href={href}>{href}</Link>
      </Text>
    </>
  )
}

const BUTTON = {
  display: 'inline-block',
  margin: '4px 0 16px',
  padding: '10px 18px',
  borderRadius: 6,
  backgroundColor: '#0f766e',
  color: '#ffffff',
  fontSize: 15,
  fontWeight: 600,
}
