import { ApiSet } from '../../olm/operator-groups/api-set.js';
import { readableApis } from '../../olm/operator-groups/objects.js';
import { staticGroupMessage } from '../../olm/operator-groups/intersection.js';
import { readOperatorGroup } from '../../olm/operator-group.js';
import { defineRule } from './rule.js';
import { activeMembers, namesText, reviewGroup } from './group-review.js';
import { from, sources } from '../source.js';

export const staticProvidedApis = defineRule({
  name: 'StaticProvidedAPIs',
  kind: 'OperatorGroup',
  requests: ['CREATE', 'UPDATE'],
  mode: 'deny',
  family: 'operator-groups',
  prevents: staticGroupMessage,
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olm('pkg/controller/registry/resolver/cache/operators.go', 'GVKStringToProvidedAPISet'),
  ),
  explain:
    'OLM never writes olm.providedAPIs of a static group, so every API of an active member must be listed there; a member with an unlisted one fails with ' +
    'CannotModifyStaticOperatorGroupProvidedAPIs and loses its deployments. List all APIs as <kind>.<version>.<group> before the group becomes static.',
  *check(context) {
    const { group, members, surface } = reviewGroup(context);
    if (!group.staticProvidedAPIs) return;
    for (const csv of activeMembers(members)) {
      const missing = readableApis(csv).difference(surface.providedAPIs).texts();
      if (missing.length === 0) continue;
      yield {
        message: `${staticGroupMessage}: ${csv.name} provides ${namesText(missing)}, which olm.providedAPIs does not list`,
        path: '$.metadata.annotations["olm.providedAPIs"]',
        cause: csv.name,
        fix: `Add ${missing.join(',')} to olm.providedAPIs.`,
      };
    }
  },
});

export const unreadableProvidedApis = defineRule({
  name: 'UnreadableProvidedAPIs',
  kind: 'OperatorGroup',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents: 'nothing is said: OLM ignores an entry that is no <kind>.<version>.<group>',
  source: from.olm(
    'pkg/controller/registry/resolver/cache/operators.go',
    'GVKStringToProvidedAPISet',
  ),
  explain:
    'An entry of olm.providedAPIs with fewer than two dots is ignored and protects nothing. Write <kind>.<version>.<group>, separated by commas.',
  *check(context) {
    const annotation = reviewGroup(context).group.providedAPIs ?? '';
    const ignored = annotation
      .replaceAll(' ', '')
      .split(',')
      .filter((entry) => entry !== '' && ApiSet.parse(entry).size === 0);
    if (ignored.length === 0) return;
    yield {
      message: `olm.providedAPIs has entries that OLM ignores: ${namesText(ignored)}`,
      path: '$.metadata.annotations["olm.providedAPIs"]',
    };
  },
});

export const staticProtectionLost = defineRule({
  name: 'StaticProtectionLost',
  kind: 'OperatorGroup',
  requests: ['UPDATE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents: 'nothing is said: OLM removes from olm.providedAPIs what no member provides',
  source: from.olm('pkg/controller/operators/olm/operatorgroup.go', 'pruneProvidedAPIs'),
  explain:
    'A static group protects APIs that nobody provides there yet. Once it is no longer static, or lists fewer of them, other groups over the same namespaces may provide them.',
  *check(context) {
    if (context.oldObject === null) return;
    const old = readOperatorGroup(context.oldObject);
    if (!old.staticProvidedAPIs) return;
    const { group, members, surface } = reviewGroup(context);
    const kept = group.staticProvidedAPIs
      ? surface.providedAPIs
      : new ApiSet(members.flatMap((csv) => [...readableApis(csv)]));
    const lost = ApiSet.parse(old.providedAPIs ?? '')
      .difference(kept)
      .texts();
    if (lost.length === 0) return;
    yield { message: `these APIs are no longer protected by the group: ${namesText(lost)}` };
  },
});
