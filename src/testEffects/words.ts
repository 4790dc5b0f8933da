import type { TFunction } from 'i18next'
import type { TestEffect } from '../../engine/flow/testEffects'

type T = TFunction<'testEffects'>

/** A test's effect in a sentence. */
export function headlineOf(effect: TestEffect, t: T): string {
  const did = effect.carriedOut
  switch (effect.type) {
    case 'mail': {
      const to = effect.to.join(', ') || t('nobody')
      return did ? t('didMail', { to }) : t('wouldMail', { to })
    }
    case 'http': {
      const { method, url } = effect
      return did ? t('didHttp', { method, url }) : t('wouldHttp', { method, url })
    }
    case 'contact': {
      const who = effect.key.value
      return did ? t(`didContact_${effect.action}`, { who }) : t(`wouldContact_${effect.action}`, { who })
    }
    case 'hand-off':
      if (effect.added) return t(did ? 'didAdd' : 'wouldAdd', { count: effect.people })
      return t(did ? 'didHandOff' : 'wouldHandOff', { count: effect.people })
    case 'record': {
      const { action, count, place, of, vendor } = effect
      if (of !== 'row' && (action === 'create' || action === 'update')) {
        const what = t(`record_${of}`)
        return did ? t(`didRecord_${action}`, { what, vendor }) : t(`wouldRecord_${action}`, { what, vendor })
      }
      if (action === 'create') return place
      return did ? t(`didRow_${action}`, { count, place }) : t(`wouldRow_${action}`, { count, place })
    }
    case 'tool': {
      const { tool, server } = effect
      return did ? t('didTool', { tool, server }) : t('wouldTool', { tool, server })
    }
  }
}

/** Its non-empty details with labels. */
export function detailsOf(effect: TestEffect, t: T): [label: string, value: string][] {
  return allDetailsOf(effect, t).filter(([, value]) => value !== '')
}

function allDetailsOf(effect: TestEffect, t: T): [string, string][] {
  switch (effect.type) {
    case 'mail':
      return [
        [t('from'), effect.from],
        [t('to'), effect.to.join(', ')],
        [t('cc'), effect.cc.join(', ')],
        [t('bcc'), effect.bcc.join(', ')],
        [t('replyTo'), effect.replyTo.join(', ')],
        [t('subject'), effect.subject],
        [t('message'), effect.text],
      ]
    case 'http':
      return [
        [t('body'), effect.body ?? ''],
        [t('answer'), effect.answeredBy ? t(`answer_${effect.answeredBy}`) : ''],
      ]
    case 'contact':
      return [
        [effect.key.field, effect.key.value],
        ...Object.entries(effect.fields).map(([name, value]): [string, string] => [name, value || t('cleared')]),
      ]
    case 'hand-off':
      return [
        [t('contact'), effect.email ?? ''],
        [t('team'), effect.team],
        [t('note'), effect.note],
      ]
    case 'record':
      return [
        [t('vendor'), effect.vendor],
        ...Object.entries(effect.fields).map(([name, value]): [string, string] => [name, value || t('cleared')]),
      ]
    case 'tool':
      return [[t('arguments'), effect.arguments]]
  }
}
