import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { identityQuery, useEmbedChanges } from '../../api/embed'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { CodeBlock } from '../../ui/CodeBlock'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { CopyField } from '../../ui/CopyField'
import { notify } from '../../ui/notify'
import { Segmented } from '../../ui/Segmented'
import styles from './embed.module.css'
import { type Language, setUser, signing } from './snippets'

const languages: readonly { value: Language; label: string }[] = [
  { value: 'node', label: 'Node.js' },
  { value: 'php', label: 'PHP' },
  { value: 'python', label: 'Python' },
]

/** The secret by which a site says who its visitors are: shown once, as it is made. */
export function IdentityCard({ pgid, cgid, readOnly }: { pgid: string; cgid: string; readOnly: boolean }) {
  const { t } = useTranslation('embed')
  const { t: common } = useTranslation()
  const { data } = useQuery(identityQuery({ pgid, cgid }))
  const { makeSecret } = useEmbedChanges({ pgid, cgid })
  const [asking, setAsking] = useState(false)
  const [language, setLanguage] = useState<Language>('node')
  const make = () =>
    makeSecret.mutate(undefined, {
      onSuccess: () => setAsking(false),
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  const isThere = data !== undefined && data.made_at !== null
  return (
    <Card
      title={t('identity.title')}
      description={t('identity.description')}
      actions={
        !readOnly && (
          <Button loading={makeSecret.isPending} onClick={() => (isThere ? setAsking(true) : make())}>
            {isThere ? t('identity.renew') : t('identity.make')}
          </Button>
        )
      }
    >
      <div className={styles.parts}>
        {makeSecret.data && (
          <div className={styles.parts}>
            <CopyField label={t('identity.secret')} value={makeSecret.data.secret} />
            <p className={styles.hint}>{t('identity.once')}</p>
          </div>
        )}
        <div className={styles.kinds}>
          <Segmented label={t('identity.language')} value={language} options={languages} onChange={setLanguage} />
          <p className={styles.hint}>{t('identity.onServer')}</p>
        </div>
        <CodeBlock label={t('identity.signCode')} code={signing[language]} />
        <p className={styles.hint}>{t('identity.onPage')}</p>
        <CodeBlock label={t('identity.pageCode')} code={setUser} />
      </div>
      <ConfirmDialog
        opened={asking}
        title={t('identity.renewTitle')}
        message={t('identity.renewText')}
        confirm={t('identity.renew')}
        danger
        loading={makeSecret.isPending}
        onConfirm={make}
        onClose={() => setAsking(false)}
      />
    </Card>
  )
}
