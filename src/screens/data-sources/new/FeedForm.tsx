import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/TextField'
import { FollowForm } from './FollowForm'
import type { NewSourceProps } from './form'

const usual = {
  feed: { most: 50, example: 'https://example.com/blog/feed.xml' },
  help_center: { most: 1_000, example: 'https://example.zendesk.com/hc/en-us' },
} as const

/** A list of pages that is known by its address: a feed, or a Help Center. */
export function FeedForm({ kind, ...props }: NewSourceProps & { kind: keyof typeof usual }) {
  const { t } = useTranslation('newSource')
  const [url, setUrl] = useState('')
  const isDirty = url.trim() !== ''
  const { most, example } = usual[kind]
  const order = isDirty ? { kind, url: url.trim() } : null
  return (
    <FollowForm kind={kind} most={most} isDirty={isDirty} fields={['url']} order={order} {...props}>
      {({ tried, problems, changed }) => (
        <TextField
          label={t(`feed.${kind}.address`)}
          description={t(`feed.${kind}.addressHint`)}
          placeholder={example}
          value={url}
          type="url"
          spellCheck={false}
          error={tried && !isDirty ? t('links.addressesEmpty') : problems.url}
          onChange={(event) => {
            changed()
            setUrl(event.currentTarget.value)
          }}
        />
      )}
    </FollowForm>
  )
}
