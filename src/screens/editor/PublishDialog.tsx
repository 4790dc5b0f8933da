import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseColour } from '../../../engine/values/colour'
import { defaultLook } from '../../../server/contracts/web/look'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import css from './editor.module.css'
import { changesOf, groupOf } from './lookChanges'
import type { LookDraft } from './useLookDraft'

/** What visitors will see otherwise, before they do. */
export function PublishDialog({ draft, onClose }: { draft: LookDraft; onClose: () => void }) {
  const { t } = useTranslation('appearance')
  const { t: common } = useTranslation()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const changes = changesOf(draft.saved.published ?? defaultLook, draft.look)
  const publish = async () => {
    setBusy(true)
    setError(null)
    try {
      if (await draft.publish()) notify.success(t('publish.done'))
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={t('publish.title')} size={560}>
      <ModalText>{t('publish.message', { count: changes.length })}</ModalText>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <ul className={css.changes} aria-label={t('publish.changes')} tabIndex={0}>
        {changes.map(({ path, before, after }) => (
          <li key={path}>
            <span className={css.changeName}>{fieldName(t, path)}</span>
            <span className={css.changeValues}>
              <Value value={before} /> <span aria-hidden="true">→</span> <Value value={after} />
            </span>
          </li>
        ))}
      </ul>
      {error !== null && (
        <p role="alert" className={css.alert}>
          {failureText(error, common('errors.message'))}
        </p>
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button design="primary" loading={busy} onClick={() => void publish()}>
          {t('publish.confirm')}
        </Button>
      </ModalActions>
    </Modal>
  )
}

/** What the screen calls a field, after its group. */
function fieldName(t: TFunction<'appearance'>, path: string): string {
  const group = t(`groups.${groupOf(path)}`)
  const own = labels[path] ?? path
  const [, scheme, colour] = /^colours\.(light|dark)\.(\w+)$/.exec(path) ?? []
  if (scheme && colour) return `${group} · ${t(`scheme.${scheme}`)} · ${t(`colours.${colour}`)}`
  return own === '' ? group : `${group} · ${t(own)}`
}
/** Where the label of a field is not among the texts by its path; '': its group's name says it. */
const labels: Readonly<Record<string, string>> = {
  'texts.header_title': 'brand.title',
  'texts.footer': 'footer.text',
  'texts.footer_links': 'footer.links',
  'texts.initial_messages': '',
  'texts.queries': '',
  'colours.scheme': 'colours.shown',
  'launcher.on_mobile': 'launcher.mobile',
  variables: '',
}

const SHOWN = 60

function Value({ value }: { value: unknown }) {
  const { t } = useTranslation('appearance')
  if (typeof value === 'string' && parseColour(value)) {
    return (
      <span className={css.colourValue}>
        <i style={{ backgroundColor: value }} aria-hidden="true" />
        {value}
      </span>
    )
  }
  if (typeof value === 'boolean') return <span>{t(value ? 'publish.on' : 'publish.off')}</span>
  if (Array.isArray(value)) return <span>{t('publish.items', { count: value.length })}</span>
  if (typeof value === 'object' && value !== null)
    return <span>{t('publish.items', { count: Object.keys(value).length })}</span>
  const text = String(value ?? '')
  if (text === '') return <span>{t('publish.nothing')}</span>
  return <span>{text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}</span>
}
