import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDomainChanges } from '../../api/domains'
import { failureText, fieldsOf } from '../../api/failure'
import { Button } from '../../ui/Button'
import { notify } from '../../ui/notify'
import { TextArea } from '../../ui/TextArea'
import styles from './domain.module.css'

interface CertificateFormProps {
  place: { pgid: string; cgid: string }
  /** there is one already */
  replaces: boolean
}

/** Takes a certificate and its key; the key is never shown again. */
export function CertificateForm({ place, replaces }: CertificateFormProps) {
  const { t } = useTranslation('domain')
  const { t: common } = useTranslation()
  const { upload } = useDomainChanges(place)
  const [certificate, setCertificate] = useState('')
  const [key, setKey] = useState('')
  const wrong = fieldsOf(upload.error)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    upload.mutate(
      { certificate, key },
      {
        onSuccess: () => {
          setCertificate('')
          setKey('')
          notify.success(t('certificate.saved'))
        },
        onError: (error) => {
          if (Object.keys(fieldsOf(error)).length === 0) notify.error(failureText(error, common('errors.message')))
        },
      },
    )
  }
  return (
    <form className={styles.certificate} onSubmit={submit}>
      <TextArea
        label={t('certificate.label')}
        description={t('certificate.hint')}
        placeholder={t('certificate.placeholder')}
        spellCheck={false}
        minRows={3}
        value={certificate}
        error={wrong.certificate}
        onChange={(event) => setCertificate(event.currentTarget.value)}
      />
      <TextArea
        label={t('certificate.key')}
        description={t('certificate.keyHint')}
        placeholder={t('certificate.keyPlaceholder')}
        spellCheck={false}
        minRows={3}
        value={key}
        error={wrong.key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      <Button type="submit" design="primary" disabled={!certificate.trim() || !key.trim()} loading={upload.isPending}>
        {t(replaces ? 'certificate.replace' : 'certificate.save')}
      </Button>
    </form>
  )
}
