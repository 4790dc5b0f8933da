import { type SubmitEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FeedKind, feedCaps } from '../../../../server/contracts/feeds'
import type { Resync } from '../../../../server/contracts/sources'
import { useAccount } from '../../../api/account'
import { fieldsOf } from '../../../api/failure'
import { useFeedChanges } from '../../../api/feeds'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { notify } from '../../../ui/notify'
import { TextField } from '../../../ui/TextField'
import { GeneralProblem } from '../GeneralProblem'
import { type NewSourceProps, wholeWrong } from './form'
import styles from './new-source.module.css'
import { ResyncField } from './ResyncField'

const usual: Readonly<Record<FeedKind, { most: string; example: string }>> = {
  feed: { most: '50', example: 'https://example.com/blog/feed.xml' },
  help_center: { most: '1000', example: 'https://example.zendesk.com/hc/en-us' },
}

/** A list of pages that is read again and again: a feed, or a Help Center. */
export function FeedForm({ kind, place, onUnsaved, onDone }: NewSourceProps & { kind: FeedKind }) {
  const { t } = useTranslation('newSource')
  const [url, setUrl] = useState('')
  const [most, setMost] = useState(usual[kind].most)
  const hasSync = useAccount().user.subscription.features.auto_sync === true
  const [resync, setResync] = useState<Resync>(hasSync ? 'daily' : 'never')
  const [tried, setTried] = useState(false)
  const { add } = useFeedChanges(place)
  const isDirty = url.trim() !== ''
  useEffect(() => onUnsaved(isDirty), [isDirty, onUnsaved])
  const cap = feedCaps.entries[kind]
  const mostWrong = wholeWrong(most, 1, cap)
  const fields = fieldsOf(add.error)
  const changed = () => {
    setTried(false)
    add.reset()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isDirty || mostWrong) return
    add.mutate(
      { kind, url: url.trim(), most: Number(most), resync },
      {
        onSuccess: () => {
          notify.success(t('feed.added'))
          onUnsaved(false)
          onDone()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card
        footer={
          <Button type="submit" design="primary" loading={add.isPending}>
            {t('feed.add')}
          </Button>
        }
      >
        <div className={styles.fields}>
          <GeneralProblem error={add.error} fields={['url', 'most', 'resync']} />
          <TextField
            label={t(`feed.${kind}.address`)}
            description={t(`feed.${kind}.addressHint`)}
            placeholder={usual[kind].example}
            value={url}
            type="url"
            spellCheck={false}
            error={tried && !isDirty ? t('links.addressesEmpty') : fields.url}
            onChange={(event) => {
              changed()
              setUrl(event.currentTarget.value)
            }}
          />
          <div className={styles.pair}>
            <TextField
              label={t('links.limit')}
              description={t('feed.limitHint', { max: cap })}
              inputMode="numeric"
              value={most}
              error={tried && mostWrong ? t('links.between', { min: 1, max: cap }) : fields.most}
              onChange={(event) => {
                changed()
                setMost(event.currentTarget.value)
              }}
            />
            <ResyncField
              value={resync}
              onChange={(chosen) => {
                changed()
                setResync(chosen)
              }}
            />
          </div>
        </div>
      </Card>
    </form>
  )
}
