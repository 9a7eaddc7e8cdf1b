import { Counter, type Registry } from 'prom-client';
import { families } from './families.js';

export interface SubscriptionLabels {
  readonly approval: string;
  readonly channel: string;
  readonly installed: string;
  readonly name: string;
  readonly package: string;
}

interface Series {
  readonly labels: SubscriptionLabels;
  /** The Subscriptions, by namespace, that these labels describe now. */
  readonly owners: Set<string>;
}

const { name, help, labels } = families.subscriptionSyncs;

/**
 * `subscription_sync_total`. The labels lack the namespace, so Subscriptions of one name can share a
 * series: it counts them together and goes with the last of them. OLM remembers by name alone and
 * lets such Subscriptions delete each other's series.
 */
export class SubscriptionSyncs {
  private readonly counter: Counter<(typeof labels)[number]>;
  private readonly bySubscription = new Map<string, Series>();
  private readonly byLabels = new Map<string, Series>();

  constructor(registry: Registry) {
    this.counter = new Counter({ name, help, labelNames: labels, registers: [registry] });
  }

  synced(namespace: string, subscription: SubscriptionLabels): void {
    this.updated(namespace, subscription);
    const series = this.seriesOf(subscription);
    series.owners.add(namespace);
    this.bySubscription.set(keyOf(namespace, subscription.name), series);
    this.counter.inc({ ...subscription });
  }

  /** Drops the series of former labels; the next sync starts that of the new ones. */
  updated(namespace: string, subscription: SubscriptionLabels): void {
    const current = this.bySubscription.get(keyOf(namespace, subscription.name));
    if (current !== undefined && textOf(current.labels) !== textOf(subscription)) {
      this.deleted(namespace, subscription.name);
    }
  }

  deleted(namespace: string, subscription: string): void {
    const key = keyOf(namespace, subscription);
    const series = this.bySubscription.get(key);
    this.bySubscription.delete(key);
    series?.owners.delete(namespace);
    if (series?.owners.size !== 0) return;
    this.byLabels.delete(textOf(series.labels));
    this.counter.remove({ ...series.labels });
  }

  private seriesOf(subscription: SubscriptionLabels): Series {
    const text = textOf(subscription);
    let series = this.byLabels.get(text);
    if (series === undefined) {
      series = { labels: subscription, owners: new Set() };
      this.byLabels.set(text, series);
    }
    return series;
  }
}

function keyOf(namespace: string, subscription: string): string {
  return `${namespace}/${subscription}`;
}

function textOf({ approval, channel, installed, name, package: pkg }: SubscriptionLabels): string {
  return JSON.stringify([approval, channel, installed, name, pkg]);
}
