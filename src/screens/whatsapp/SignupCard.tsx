import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { beginSignup } from '../../../server/contracts/whatsappSignup'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import type { ChatbotPlace } from '../../api/whatsapp'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import styles from './whatsapp.module.css'

/** The short way to connect a number: a person shares it with this installation's app on Meta's own page. */
export function SignupCard({ place }: { place: ChatbotPlace }) {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const begin = useMutation({
    mutationFn: () => callRoute(beginSignup, { params: place }),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <Card
      title={t('signup.title')}
      description={t('signup.description')}
      footer={
        <Button design="primary" loading={begin.isPending || begin.isSuccess} onClick={() => begin.mutate()}>
          {t('signup.begin')}
        </Button>
      }
    >
      {begin.error && (
        <p role="alert" className={styles.alert}>
          {failureText(begin.error, common('errors.message'))}
        </p>
      )}
    </Card>
  )
}
