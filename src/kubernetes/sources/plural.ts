/** A kind's plural, as kro names resources. Source: gobuffalo/flect v1.0.3, `Pluralize`. */

/** `singular plural`; a word that ends in the singular ends in the plural instead. */
const irregular = `
  child children/foot feet/goose geese/man men/human humans/mouse mice/tooth teeth/woman women
  person people/adieu adieux/fabliau fabliaux/bureau bureaus/criterion criteria/ganglion ganglia
  lexicon lexica/mitochondrion mitochondria/noumenon noumena/phenomenon phenomena/taxon taxa
  media media/medium media/stadium stadiums/aquarium aquaria/auditorium auditoria
  symposium symposia/curriculum curriculums/quota quotas/alumnus alumni/bacillus bacilli
  cactus cacti/coccus cocci/focus foci/locus loci/nucleus nuclei/octopus octupuses/radius radii
  syllabus syllabi/corpus corpora/genus genera/alumna alumnae/vertebra vertebrae
  differentia differentiae/minutia minutiae/vita vitae/larva larvae/postcava postcavae
  praecava praecavae/uva uvae/apex apices/codex codices/index indices/latex latices
  vertex vertices/vortex vortices/appendix appendices/radix radices/helix helices/crisis crises
  ellipsis ellipses/genesis geneses/oasis oases/thesis theses/testis testes/base bases
  basis bases/vedalia vedalias/abuse abuses/cause causes/clause clauses/cruse cruses
  excuse excuses/fuse fuses/house houses/misuse misuses/muse muses/pause pauses/ache aches
  topaz topazes/buffalo buffaloes/potato potatoes/tomato tomatoes/dwarf dwarfs/hoof hoofs
  thief thieves/chive chives/hive hives/move moves/movie movies/cookie cookies
  pretorium pretoriums/agenda agendas/formula formulas/shoe shoes/graffiti graffiti`;

/** Words that have no other plural. */
const unchanged = `
  aircraft beef bison blues chassis deer fish moose police salmon series sheep shrimp species swine
  trout tuna you equipment information jeans money news rice`;

/** These only as whole words: `ox`, but not `box`. */
const whole = 'ox oxen/louse lice/die dice/axis axes/alias aliases/use uses/toe toes';

/** Plurals that stay as they are where they are the whole word, and are no plural by the lists above. */
const alternatives = `
  beefs fishes salmons shrimps swines trouts tunas adieus bureaux ganglions lexicons mitochondrions
  mediums stadia aquariums auditoriums symposiums curricula alumnuses cactuses focuses locuses
  nucleuses octopi radiuses corpuses apexes codexes indexes latexes vertexes vortexes appendixes
  radixes helixes buffalos dwarves hooves formulae`;

/** For these only the plural is known: the word itself is not treated as a plural. */
const oneWay = new Set(['blues', 'medium', 'ellipsis', 'basis']);

const endings = `
  tive tives/eaf eaves/oaf oaves/afe aves/arf arves/rfe rves/rf rves/lf lves/fe ves/ay ays/ey eys
  oy oys/quy quies/uy uys/y ies/eau eaux/bula bulae/dula bulae/lula bulae/nula bulae/vula bulae
  hedron hedra/ium ia/seum seums/eum ea/oum oa/stracum straca/dum da/elum ela/ilum ila/olum ola
  ulum ula/llum lla/ylum yla/imum ima/ernum erna/gnum gna/brum bra/crum cra/terum tera/serum sera
  trum tra/antum anta/atum ata/entum enta/etum eta/itum ita/otum ota/utum uta/ctum cta/ovum ova
  trix trices/iasis iases/mesis meses/kinesis kineses/resis reses/gnosis gnoses/opsis opses
  ysis yses/ouse ouses/lause lauses/us uses/ch ches/io ios/sh shes/ss sses/ez ezzes/iz izzes
  tz tzes/zz zzes/ano anos/lo los/to tos/oo oos/o oes/x xes`;

type Pair = readonly [singular: string, plural: string];

function pairs(text: string): Pair[] {
  const words = text.trim().split(/\s*\/\s*|\s*\n\s*/);
  return words.map((each) => each.split(' ') as unknown as Pair);
}

const same = unchanged
  .trim()
  .split(/\s+/)
  .map((word): Pair => [word, word]);
const words = [...same, ...pairs(irregular)];
const singulars = new Map([...words, ...pairs(whole)]);
const plurals = new Set([
  ...[...singulars].flatMap(([one, many]) => (oneWay.has(one) ? [] : [many])),
  ...alternatives.trim().split(/\s+/),
]);
/** The longest word first: `human` before `man`. */
const suffixes = [
  ...words.toSorted(([one], [other]) => other.length - one.length),
  ...pairs(endings),
].flatMap(([one, many]): Pair[] => [
  [many, many],
  [one, many],
]);

export function pluralOf(word: string): string {
  const known = singulars.get(word);
  if (known !== undefined) return known;
  if (plurals.has(word)) return word;
  const rule = suffixes.find(([suffix]) => word.endsWith(suffix));
  if (rule !== undefined) return word.slice(0, word.length - rule[0].length) + rule[1];
  return word.endsWith('s') ? word : `${word}s`;
}
