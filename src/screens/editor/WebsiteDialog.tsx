import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseColour } from '../../../engine/values/colour'
import { readWebsiteLook } from '../../../server/contracts/web'
import type { WebsiteLook } from '../../../server/contracts/web/websiteLook'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { Switch } from '../../ui/Switch'
import { TextField } from '../../ui/TextField'
import type { LookDraft } from './useLookDraft'
import css from './website.module.css'
import { withWebsite } from './withWebsite'

/** Takes colours, name and picture from one's own site: looks first, and sets what one leaves marked. */
export function WebsiteDialog(props: { pgid: string; cgid: string; draft: LookDraft; onClose: () => void }) {
  const { pgid, cgid, draft, onClose } = props
  const { t } = useTranslation('appearance')
  const { t: common } = useTranslation()
  const [address, setAddress] = useState('')
  const [left, setLeft] = useState<readonly string[]>([])
  const look = useMutation({
    mutationFn: (url: string) => callRoute(readWebsiteLook, { params: { pgid, cgid }, body: { url } }),
    onSuccess: () => setLeft([]),
  })
  const found = look.data?.found
  const entries = found ? entriesOf(found) : []
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = address.trim()
    if (typed) look.mutate(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`)
  }
  return (
    <Modal opened onClose={onClose} title={t('website.title')} size={520}>
      <ModalText>{t('website.message')}</ModalText>
      <form className={css.form} onSubmit={submit}>
        <TextField
          className={css.address}
          label={t('website.address')}
          placeholder="https://"
          value={address}
          error={look.error ? failureText(look.error, common('errors.message')) : undefined}
          data-autofocus
          onChange={(event) => {
            look.reset()
            setAddress(event.currentTarget.value)
          }}
        />
        <Button type="submit" loading={look.isPending} disabled={address.trim() === ''}>
          {t('website.look')}
        </Button>
      </form>
      <div role="status">
        {found && entries.length === 0 && <p className={css.none}>{t('website.none')}</p>}
        {entries.length > 0 && (
          <ul className={css.found} aria-label={t('website.found')}>
            {entries.map(([part, value]) => (
              <li key={part}>
                <span className={css.sample} aria-hidden="true">
                  {parseColour(value) ? (
                    <i style={{ backgroundColor: value }} />
                  ) : (
                    part === 'avatar' && <img src={value} alt="" referrerPolicy="no-referrer" />
                  )}
                </span>
                <span className={css.what}>
                  <span>{t(`website.parts.${part}`)}</span>
                  <span className={css.value}>{value}</span>
                </span>
                <Switch
                  aria-label={t('website.take', { part: t(`website.parts.${part}`) })}
                  checked={!left.includes(part)}
                  onChange={({ currentTarget: { checked } }) =>
                    setLeft(checked ? left.filter((each) => each !== part) : [...left, part])
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button
          design="primary"
          disabled={!entries.some(([part]) => !left.includes(part))}
          onClick={() => {
            const taken = Object.fromEntries(entries.filter(([part]) => !left.includes(part)))
            draft.replace(withWebsite(draft.look, taken), 'website')
            onClose()
          }}
        >
          {t('website.use')}
        </Button>
      </ModalActions>
    </Modal>
  )
}

const entriesOf = (found: WebsiteLook) =>
  (['name', 'avatar', 'accent', 'background', 'text'] as const).flatMap((part) =>
    found[part] ? [[part, found[part]] as const] : [],
  )
