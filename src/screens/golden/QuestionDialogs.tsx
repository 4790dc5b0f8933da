import { useTranslation } from 'react-i18next'
import type { Golden, GoldenBody } from '../../../server/contracts/golden'
import { GoldenDialog } from '../../answers/GoldenDialog'
import { failureText } from '../../api/failure'
import { useGoldenChanges } from '../../api/golden'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { notify } from '../../ui/notify'

interface DialogProps {
  pgid: string
  cgid: string
  onClose: () => void
}

/** @param golden null: a new one */
export function EditQuestion({ pgid, cgid, golden, onClose }: DialogProps & { golden: Golden | null }) {
  const { t } = useTranslation('golden')
  const { add, change } = useGoldenChanges(pgid, cgid)
  const mutation = golden ? change : add
  const onSuccess = () => {
    notify.success(t(golden ? 'edit.done' : 'added'))
    onClose()
  }
  const submit = (body: GoldenBody) =>
    golden ? change.mutate({ ...body, gid: golden.gid }, { onSuccess }) : add.mutate(body, { onSuccess })
  return (
    <GoldenDialog
      pgid={pgid}
      cgid={cgid}
      title={golden ? t('edit.title') : t('add')}
      submit={golden ? t('edit.submit') : t('add')}
      value={
        golden
          ? {
              question: golden.question,
              words: golden.words,
              source: golden.source,
              source_title: golden.source_title,
              unknown: golden.unknown,
              ...(golden.kept && { kept: golden.kept }),
            }
          : { question: '', words: [], source: null, unknown: false }
      }
      loading={mutation.isPending}
      error={mutation.error}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}

export function DeleteQuestion({ pgid, cgid, golden, onClose }: DialogProps & { golden: Golden }) {
  const { t } = useTranslation('golden')
  const { t: common } = useTranslation()
  const { remove } = useGoldenChanges(pgid, cgid)
  return (
    <ConfirmDialog
      opened
      title={t('delete.title')}
      message={t('delete.message', { question: golden.question })}
      confirm={t('delete.submit')}
      danger
      loading={remove.isPending}
      error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
      onConfirm={() => remove.mutate(golden.gid, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
